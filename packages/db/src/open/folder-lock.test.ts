/** The lock of the embedded database, between real processes. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StoreHeldError } from "../errors.ts";
import { endChildren, PROCESS_TIMEOUT_MS, runChild } from "../testing/child.ts";
import { NOON_MS } from "../testing/rows.ts";
import { lockFolder } from "./folder-lock.ts";

const now = () => NOON_MS;

describe("the folder lock", { timeout: PROCESS_TIMEOUT_MS }, () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "assay-lock-")), "db.lock");
  });
  afterEach(async () => {
    await endChildren();
    await rm(join(folder, ".."), { recursive: true });
  });

  const holder = () => runChild(`await lockFolder(${JSON.stringify(folder)}, () => 0); console.log("held"); await forever();`);
  const failure = () =>
    lockFolder(folder, now).then(
      () => null,
      (error: unknown) => error,
    );

  test("is free again after a release, any number of times", async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const lock = await lockFolder(folder, now);
      await lock.release();
    }
    expect((await readdir(folder)).filter((name) => !name.startsWith("claim-"))).toEqual([]);
    expect(await readdir(folder)).toHaveLength(1);
  });

  test("refuses the process that already holds it, and says who holds it since when", async () => {
    const lock = await lockFolder(folder, now);
    expect(await failure()).toMatchObject({ name: "StoreHeldError", pid: process.pid, sinceMs: NOON_MS });
    await lock.release();
  });

  test("is not taken from a live process, and is free as soon as that one is killed", async () => {
    const child = holder();
    expect(await child.line()).toBe("held");
    expect(await failure()).toMatchObject({ name: "StoreHeldError", pid: child.pid });
    child.signal("SIGKILL");
    await child.ended();
    const lock = await lockFolder(folder, now);
    await lock.release();
  });

  test("is not taken from a frozen process", async () => {
    const child = holder();
    expect(await child.line()).toBe("held");
    child.signal("SIGSTOP");
    for (let attempt = 0; attempt < 3; attempt += 1) expect(await failure()).toBeInstanceOf(StoreHeldError);
    child.signal("SIGKILL");
    await child.ended();
    await (await lockFolder(folder, now)).release();
  });

  test("is not taken from a process that is too busy to answer", async () => {
    const child = runChild(
      `await lockFolder(${JSON.stringify(folder)}, () => 0); process.stdout.write("held\\n", () => { for (;;); });`,
    );
    expect(await child.line()).toBe("held");
    expect(await failure()).toBeInstanceOf(StoreHeldError);
    child.signal("SIGKILL");
    await child.ended();
  });

  test("goes to exactly one of several that ask at the same moment", async () => {
    for (let round = 0; round < 20; round += 1) {
      const asked = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder, now)));
      const won = asked.filter((each) => each.status === "fulfilled");
      expect(won).toHaveLength(1);
      for (const each of won) await each.value.release();
    }
  });

  test("goes to exactly one of the processes that start together after a killed one", async () => {
    const dead = holder();
    await dead.line();
    dead.signal("SIGKILL");
    await dead.ended();
    const starters = Array.from({ length: 6 }, () =>
      runChild(`
        const answer = await lockFolder(${JSON.stringify(folder)}, () => 0).then(() => "won", (error) => error.name);
        console.log(answer);
        await forever();`),
    );
    const answers = await Promise.all(starters.map((starter) => starter.line()));
    for (const starter of starters) starter.signal("SIGKILL");
    await Promise.all(starters.map((starter) => starter.ended()));
    expect(answers.toSorted()).toEqual([...Array.from({ length: 5 }, () => "StoreHeldError"), "won"]);
  });

  test("never has two holders while many processes take and release it in turn", async () => {
    const log = join(folder, "..", "inside");
    // Creating the file exclusively fails when another holder is inside.
    const body = `
      import { open, rm } from "node:fs/promises";
      let held = 0;
      while (held < 25) {
        const lock = await lockFolder(${JSON.stringify(folder)}, () => 0).catch((error) => {
          if (error.name !== "StoreHeldError") throw error;
        });
        if (!lock) continue;
        const mark = await open(${JSON.stringify(log)}, "wx");
        await mark.close();
        await rm(${JSON.stringify(log)});
        await lock.release();
        held += 1;
      }
      console.log("done");`;
    const children = [runChild(body), runChild(body), runChild(body)];
    expect(await Promise.all(children.map((child) => child.line()))).toEqual(["done", "done", "done"]);
  });

  test("works in a folder deeper than a socket's address can be", async () => {
    folder = join(folder, "..", "deep".repeat(30), "deeper".repeat(30));
    const lock = await lockFolder(folder, now);
    expect(await failure()).toBeInstanceOf(StoreHeldError);
    await lock.release();
    await (await lockFolder(folder, now)).release();
    folder = join(folder, "..", "..", "db.lock");
  });

  test("is not confused by unrelated files", async () => {
    await (await lockFolder(folder, now)).release();
    await writeFile(join(folder, "claim-of-mine"), "");
    await writeFile(join(folder, "claim-99.bak"), "");
    await (await lockFolder(folder, now)).release();
  });
});
