/**
 * The image's tree as a container runs it, without a container engine: its own root, read-only but for `/data`, user 65534, no
 * capability, first process of its own process namespace. The machine's Node and libraries stand in for those of the base image.
 */
import { execFile, spawnSync } from "node:child_process";
import { chmod, chown, mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./files.ts";
import { type Settings, spawnFile, type Watched } from "./service.ts";

const run = promisify(execFile);

/** The user of the image. */
export const NOBODY = 65_534;

/** Why it cannot be done here; null when it can. */
export const whyNoSealedRoot = (): string | null => {
  if (process.platform !== "linux") return "it needs Linux";
  if (process.getuid?.() !== 0) return "it needs root";
  const tried = spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]);
  return tried.status === 0 ? null : "namespaces are not allowed here";
};

const SCRIPT = `set -eu
root=$1 node=$2; shift 2
mount -t tmpfs -o size=1m,mode=755 none "$root/root"
cd "$root/root"
for folder in usr lib lib64 bin; do
  [ -e "/$folder" ] || continue
  mkdir "$folder"
  mount --bind "$(readlink -f "/$folder")" "$folder"
  mount -o remount,bind,ro "$folder"
done
mkdir app data dev proc etc node
mount --bind "$root/app" app
mount -o remount,bind,ro app
mount --bind "$node" node
mount -o remount,bind,ro node
mount --bind "$root/data" data
mount -t proc none proc
for device in null zero random urandom; do : >"dev/$device"; mount --bind "/dev/$device" "dev/$device"; done
echo 'nobody:x:65534:65534::/nonexistent:/usr/sbin/nologin' >etc/passwd
mount -o remount,ro .
export PATH=/node:/usr/bin:/bin HOME=/nonexistent
exec "$(command -v chroot || echo /usr/sbin/chroot)" . /usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
`;

export interface SealedRoot {
  /** The folder that is `/data` inside. */
  readonly data: string;
  spawn(settings: Settings, command: readonly string[]): Watched;
}

/** Lays the tree out below a folder. */
export const layOut = async (folder: string): Promise<SealedRoot> => {
  const root = join(folder, "sealed");
  for (const name of ["root", "data"]) await mkdir(join(root, name), { recursive: true });
  await chmod(folder, 0o755);
  await run(join(ROOT, "deploy/layout.sh"), [join(root, "app")]);
  const data = join(root, "data");
  await chown(data, NOBODY, NOBODY);
  await chmod(data, 0o700);
  const script = join(folder, "seal.sh");
  await writeFile(script, SCRIPT);
  const node = dirname(await realpath(process.execPath));
  return {
    data,
    spawn: (settings, command) =>
      spawnFile(
        "unshare",
        ["--mount", "--pid", "--fork", "--kill-child=SIGKILL", "sh", script, root, node, ...command],
        settings,
      ),
  };
};
