/** Replay files written by tests, in a folder that is deleted after the run. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { ReplayError } from "../replay/lines.ts";
import { loadReplay } from "../replay/load.ts";
import { fixture } from "./samples.ts";

export const folder = mkdtempSync(join(tmpdir(), "assay-replay-"));

let files = 0;

export const write = (content: string | Uint8Array): string => {
  const file = join(folder, `${++files}.ndjson`);
  writeFileSync(file, content);
  return file;
};

export const load = (...lines: (string | object)[]) =>
  loadReplay(write(lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")));

/** The error of loading; the test fails when there is none. */
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
