/**
 * The part of the simulated history that the build prepares: its daily bars, settlements and reference rates up to the day of the build, in a
 * database that a first start copies instead of making and writing a hundred thousand rows.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { analyze, claimFence, type Store, writeBarLines } from "@assay/db";
import { machineTime } from "@assay/ports";
import { bucketStart, DAILY_SYMBOLS } from "@assay/pricing";
import { silentProgress } from "@assay/process";
import { FIRST_DAY_MS } from "./bars.ts";
import { makeLines, type SimulatedBars } from "./make-bars.ts";
import { fillReferences, fillSettlements } from "./market.ts";

/** Made by the build (`scripts/prepare-history.mjs`): the database, and which market's history it holds. */
const FOLDER = fileURLToPath(new URL("../../dist/prepared-history", import.meta.url));
const BUILD = { token: 1, holder: "the build" };

/** Which market's history is prepared, and up to when; epoch milliseconds. */
interface PreparedMarket extends SimulatedBars {
  readonly untilMs: number;
}

/**
 * Writes it to an empty store: whole days only, so that every bar is closed.
 * @returns what it is the history of
 */
export const prepareHistory = async (store: Store, market: SimulatedBars, nowMs: number): Promise<PreparedMarket> => {
  const untilMs = bucketStart(nowMs, "1d");
  await claimFence(store, BUILD.token, BUILD.holder);
  for (const symbol of DAILY_SYMBOLS)
    await writeBarLines(store, makeLines({ symbol, bars: "daily", fromMs: FIRST_DAY_MS, untilMs }, market), { writer: BUILD });
  const writing = { store, writer: BUILD, progress: silentProgress, clock: machineTime, mayWrite: () => true };
  await fillSettlements({ ...writing, seed: market.seed, nowMs: untilMs });
  await fillReferences({ ...writing, seed: market.seed, nowMs: untilMs });
  await analyze(store);
  return { ...market, untilMs };
};

/**
 * The folder of the prepared database; undefined where it holds another market's history, or days that are still to come by this
 * clock, and where nothing was built.
 */
export const preparedHistory = ({ seed, hours }: SimulatedBars, nowMs: number, folder = FOLDER): string | undefined => {
  const file = join(folder, "market.json");
  if (!existsSync(file)) return undefined;
  const prepared = JSON.parse(readFileSync(file, "utf8")) as PreparedMarket; // written by the build
  const isIts = prepared.seed === seed && prepared.hours === hours && prepared.untilMs <= nowMs;
  return isIts ? join(folder, "database") : undefined;
};
