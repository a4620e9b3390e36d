/** Imports of tests: their files, in this process with all effects recorded, and as a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Interval } from "@assay/contract";
import { readBars, type Store } from "@assay/db";
import type { BarRow } from "@assay/pricing";
import { silentProgress } from "@assay/process/progress";
import { movedClock } from "@assay/testkit";
import { readFileBars } from "../read/read-bars.ts";
import { readZone, type Zone } from "../read/zone.ts";
import { type ImportRequest, type ImportTools, planImport, runImport } from "../run-import.ts";

/** Files of a suite, removed after it. */
interface Scratch {
  readonly folder: string;
  /** Writes a file. @returns its path */
  write(name: string, content: string | Uint8Array): string;
  remove(): void;
}

export const openScratch = (): Scratch => {
  const folder = mkdtempSync(join(tmpdir(), "assay-import-"));
  return {
    folder,
    write: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

export const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** 2026-01-01T00:00:00Z, the time of trials. */
export const NOW_MS = Date.UTC(2026, 0, 1);

interface Trial {
  /** Its output. */
  readonly said: readonly string[];
  /** The series servers were notified of. */
  readonly announced: readonly string[];
}

/** Imports minutes of gold futures by default; futures keep their volume. */
export const tryImport = async (
  store: Store,
  files: readonly string[],
  change: Partial<ImportRequest> = {},
  tools: Partial<ImportTools> = {},
): Promise<Trial> => {
  const said: string[] = [];
  const announced: string[] = [];
  const request: ImportRequest = {
    symbol: "GC",
    interval: "1m",
    files,
    isAggregating: true,
    isForced: false,
    zone: zoneNamed("UTC"),
    ...change,
  };
  const all: ImportTools = {
    store,
    clock: () => NOW_MS,
    progress: silentProgress,
    say: (line) => void said.push(line),
    announce: async (symbol) => void announced.push(symbol),
    signal: new AbortController().signal,
    ...tools,
  };
  await runImport(await planImport(request, all.clock()), request, all);
  return { said, announced };
};

export const refusalOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "it was not refused",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** A whole series, oldest first. */
export const seriesOf = async (store: Store, symbol: string, interval: Interval): Promise<BarRow[]> =>
  (await readBars(store, { symbol, interval, fromMs: 0, toMs: Date.UTC(2100, 0, 1), limit: 1_000_000 })).reverse();

export const zoneNamed = (name: string): Zone => {
  const zone = readZone(name);
  if (!zone) throw new Error(`no zone ${name}`);
  return zone;
};

const APP = new URL("../../../", import.meta.url);

interface Run {
  /** Waits for a matching line on stderr. */
  heard(line: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Its exit: the code, null when a signal ended it, and its output. */
  ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/**
 * Starts the command.
 * @param settings its whole environment, except what a process needs to start
 */
export const startCommand = (args: readonly string[], settings: Readonly<Record<string, string>>): Run => {
  const { PATH = "", HOME = "", TMPDIR = "/tmp" } = process.env;
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(new URL("dist/bundle/assay.js", APP)), "import", ...args], {
    env: { PATH, HOME, TMPDIR, ...movedClock(), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => done({ code, stdout, stderr }));
  });
  return {
    ended,
    kill: (signal) => void child.kill(signal),
    heard: (line) =>
      new Promise((done, fail) => {
        const look = (): void => {
          if (line.test(stderr)) done();
        };
        child.stderr?.on("data", look);
        child.once("close", () => fail(new Error(`it ended without saying ${line}: ${stderr}`)));
        look();
      }),
  };
};

/** The bars of a file, of days of gold unless it is said otherwise. */
export const read = async (path: string, change: Partial<ImportRequest> = {}): Promise<BarRow[]> => {
  const request: ImportRequest = {
    symbol: "XAU-USD-SPOT",
    interval: "1d",
    files: [path],
    isAggregating: true,
    isForced: false,
    ...change,
  };
  const bars: BarRow[] = [];
  for (const source of await planImport(request, NOW_MS))
    for await (const batch of readFileBars(source)) bars.push(...batch.map(({ bar }) => bar));
  return bars;
};
