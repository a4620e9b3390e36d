/** Builds slow fixtures once for all suites of a run, and copies them. */
import { constants, existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const MADE_WITHIN_MS = 600_000;
const LOOK_EVERY_MS = 50;

/**
 * Copies a folder shared by the run; the first worker to ask creates it, and the others wait.
 * @param name of the folder, among the shared ones
 * @param to the target of the copy
 * @param make fills the folder it is given
 */
export const copyMade = async (name: string, to: string, make: (folder: string) => Promise<void>): Promise<void> => {
  const made = join(tmpdir(), `assay-made-${name}`);
  const isMaker =
    !existsSync(made) &&
    (await mkdir(`${made}.making`).then(
      () => true,
      () => false,
    ));
  if (isMaker) {
    try {
      const folder = await mkdtemp(`${made}-`);
      await make(folder);
      await rename(folder, made);
    } finally {
      await rm(`${made}.making`, { recursive: true });
    }
  }
  const lateMs = performance.now() + MADE_WITHIN_MS;
  while (!existsSync(made)) {
    if (performance.now() > lateMs || !existsSync(`${made}.making`)) throw new Error(`${made} was not made`);
    await sleep(LOOK_EVERY_MS);
  }
  await cp(made, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
};
