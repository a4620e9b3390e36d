/** Replay files of a test's own making, in a folder that goes with the test. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { ReplayError } from "../replay/replay-error.ts";
import { loadReplay } from "../sources/replay.ts";
import { fixture } from "./samples.ts";

/** Where the files lie. */
export const folder = mkdtempSync(join(tmpdir(), "assay-replay-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

/** Writes a file and gives its path. */
export const write = (content: string | Uint8Array): string => {
  const file = join(folder, `${++files}.ndjson`);
  writeFileSync(file, content);
  return file;
};

/** Loads a file of these lines. */
export const load = (...lines: (string | object)[]) =>
  loadReplay(write(lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")));

/** Why loading was refused; the test fails when it was not. */
export const refusal = async (loading: Promise<unknown>): Promise<ReplayError> => {
  const thrown = await loading.then(
    () => expect.fail("it loaded"),
    (error: unknown) => error,
  );
  return thrown instanceof ReplayError ? thrown : expect.fail(`not a ReplayError: ${String(thrown)}`);
};

/** One line of each kind. */
export const EXAMPLE = fixture("replay.ndjson");
export const [SPOT = "", FX = "", SETTLEMENT = "", DEALER = "", BAR = "", OPTION = "", MARKET = "", SILENCE = ""] =
  EXAMPLE.trim().split("\n");
