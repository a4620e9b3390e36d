/** The folder of settlement files: which of them are read, and when. */
import { mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Feed } from "../../feed/feed.ts";
import { prepared } from "../../testing/samples.ts";
import { cmeFiles } from "./cme-files.ts";

const csv = (price: string): string => `date,month,settle,volume,oi\n2026-08-21,DEC 26,"${price}",10,20\n`;
const RANGE = { fromMs: 0, toMs: 0 };

let folder: string;
let feed: Feed;
const drop = (name: string, content: string) => writeFile(join(folder, name), content);
/** When the folder last got a file, by the clock of the file system, which the test's own may differ from. */
const filledAtMs = async (): Promise<number> => (await stat(folder)).ctimeMs;
const read = async (nowMs?: number) => {
  const context = prepared({}, nowMs ?? (await filledAtMs()));
  const found = await feed.fetch(context);
  return {
    prices: found.map((each) => each.kind === "settlement" && each.price),
    faults: context.partials.map(({ message }) => message),
  };
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-cme-"));
  feed = cmeFiles(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the folder", () => {
  it("may be empty, and leaves other files alone", async () => {
    await drop("notes.txt", "no settlement");
    await drop(".GC.csv", "half a file");
    expect(await read()).toEqual({ prices: [], faults: [] });
  });

  it("gives every good file, and uses nothing of bad ones, which it names in every round", async () => {
    await drop("GC-1.csv", csv("4,680.6"));
    await drop("GC-2.csv", `${csv("4,690.6")}2026-08-21,FEB 27,nonsense,1,2\n`);
    await drop("SI.csv", "nonsense");
    const faults = [expect.stringMatching(/^GC-2\.csv: row 3: settle is not a price; SI\.csv: no column /)];
    for (const _ of [1, 2]) expect(await read()).toEqual({ prices: ["4680.6"], faults });
    await rm(join(folder, "GC-2.csv"));
    expect((await read()).faults).toEqual([expect.stringMatching(/^SI\.csv/)]);
  });

  it("reads a file again when it was replaced", async () => {
    await drop("GC.csv", "nonsense");
    expect((await read()).faults).toHaveLength(1);
    await drop("GC.csv.part", csv("4,691.0"));
    await rename(join(folder, "GC.csv.part"), join(folder, "GC.csv"));
    expect(await read()).toEqual({ prices: ["4691.0"], faults: [] });
  });

  it("looks at old files at the start only", async () => {
    await drop("GC.csv", csv("4,680.6"));
    const inAWeekMs = (await filledAtMs()) + 7 * 86_400_000;
    expect((await read(inAWeekMs)).prices).toEqual([]);
    expect(await feed.backfill?.(prepared({}, inAWeekMs), RANGE)).toHaveLength(1);
  });

  it("fails as a whole when it is gone, without naming its path", async () => {
    await rm(folder, { recursive: true });
    const failure = await read(0).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "unreachable", message: "failed to read the folder of settlement files" });
  });
});
