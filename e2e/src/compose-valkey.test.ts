/** Valkey as `deploy/compose.yaml` starts it, with the users of every role; Debian's Redis stands in for it. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "./harness/eventually.ts";
import { type Folder, ROOT, temporaryFolder } from "./harness/files.ts";
import { freePort, inPath } from "./harness/own-servers.ts";

const SERVER = inPath("redis-server") ?? inPath("valkey-server");
const CLIENT = inPath("redis-cli") ?? inPath("valkey-cli");
const SCRIPT = join(ROOT, "deploy/redis/valkey.sh");
const ROLES = ["api", "stream", "writer", "operator"];
if (SERVER === null || CLIENT === null) console.info("Valkey of deploy/compose.yaml: skipped, because Redis is not installed");

const composeCommand = (): string[] => {
  const compose = readFileSync(join(ROOT, "deploy/compose.yaml"), "utf8");
  const [, words = ""] = /\/redis\/valkey\.sh\]\n {4}command: \[(start, .*)\]/.exec(compose) ?? [];
  return words.split(", ").map((word) => word.replaceAll('"', ""));
};

describe.skipIf(SERVER === null || CLIENT === null)(
  "Valkey of deploy/compose.yaml",
  { meta: { needs: "Redis' programs" } },
  () => {
    let folder: Folder;
    let secrets: string;
    let env: Record<string, string>;
    let port: string;
    let server: ChildProcess;
    const write = (secret: string, text: string): void => writeFileSync(join(secrets, secret), `${text}\n`);
    const passwordOf = (role: string): string => readFileSync(join(secrets, `${role}_redis_password`), "utf8").trim();
    const ping = (user: string, password: string): string => {
      const own = { ...env, REDISCLI_AUTH: password };
      return spawnSync(CLIENT ?? "", ["-p", port, "--user", user, "ping"], { env: own, encoding: "utf8" }).stdout.trim();
    };
    const run = (own: Record<string, string>, ...args: string[]) =>
      spawnSync("/bin/sh", [SCRIPT, ...args], { env: { ...env, ...own }, encoding: "utf8", timeout: 10_000 }).status;

    beforeAll(async () => {
      folder = await temporaryFolder();
      cpSync(join(ROOT, "deploy/secrets.sh"), join(folder.path, "secrets.sh"));
      execFileSync(join(folder.path, "secrets.sh"), { stdio: "ignore" });
      secrets = join(folder.path, "secrets");
      const programs = join(folder.path, "programs");
      mkdirSync(programs);
      symlinkSync(SERVER ?? "", join(programs, "valkey-server"));
      symlinkSync(CLIENT ?? "", join(programs, "valkey-cli"));
      env = { PATH: `${programs}:${process.env.PATH}`, SECRETS: secrets };
      port = String(await freePort());
      const args = [SCRIPT, ...composeCommand(), "--port", port, "--bind", "127.0.0.1"];
      server = spawn("/bin/sh", args, { env, stdio: "ignore", cwd: folder.path });
      await eventually(
        "it answers",
        () => ping("assay_api", passwordOf("api")),
        (answer) => answer === "PONG",
      );
    });
    afterAll(async () => {
      server?.kill("SIGKILL");
      await folder?.remove();
    });

    it("knows the user of every role by its password, and refuses everyone else", () => {
      for (const role of ROLES) {
        expect(ping(`assay_${role}`, passwordOf(role)), role).toBe("PONG");
        expect(ping(`assay_${role}`, "guessed"), role).toMatch(/NOAUTH|WRONGPASS/);
      }
      const { stdout } = spawnSync(CLIENT ?? "", ["-p", port, "ping"], { env, encoding: "utf8" });
      expect(stdout).toMatch(/NOAUTH/);
    });

    it("is the process itself, which gets SIGTERM, and has no password among its arguments", () => {
      const line = execFileSync("ps", ["-o", "args=", "-p", String(server.pid)], { encoding: "utf8" });
      expect(line).toMatch(/^valkey-server/);
      for (const role of ROLES) expect(line).not.toContain(passwordOf(role));
    });

    it("is given users anew while it runs", () => {
      write("api_redis_password", "another");
      expect(run({}, "apply", "-p", port)).toBe(0);
      expect(ping("assay_api", "another")).toBe("PONG");
    });

    it("does not start without one of its secrets, and says when users could not be applied", () => {
      expect(run({ SECRETS: folder.path }, "start", "--port", "0")).toBe(1);
      expect(run({ SECRETS: folder.path }, "apply", "-p", port)).toBe(1);
      expect(run({}, "apply", "-p", "1")).toBe(1);
      write("valkey_password", "wrong");
      expect(run({}, "apply", "-p", port)).toBe(1);
    });
  },
);
