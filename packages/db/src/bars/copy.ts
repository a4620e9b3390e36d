/** COPY of bars into empty time ranges: lines at once from memory on the embedded engine, a stream on a server. */
import type { BarRow } from "@assay/pricing";
import { StoreQueryError } from "../errors.ts";
import { insertBehindFence, type WriterToken } from "../statements/fence.ts";
import type { RowStream, Store } from "../store.ts";
import { type BarLines, barLines, COPIED_COLUMNS, lineWriter } from "./bar-lines.ts";

/**
 * Copies lines where no bar exists, in half the time of inserts. The fence is passed before the statement, not within: the
 * engine that copies from memory has a single process, whose terms follow one another.
 * @returns false when a bar existed after all; then none is stored
 */
export const copyLines = async (
  store: Store,
  copyText: NonNullable<Store["copyText"]>,
  lines: BarLines,
  writer: WriterToken | undefined,
): Promise<boolean> => {
  if (writer) await insertBehindFence(store, writer, []);
  try {
    await copyText(`copy bars (${COPIED_COLUMNS}) from '/dev/blob'`, lines.text, store.now());
  } catch (error) {
    if (error instanceof StoreQueryError && error.code === "23505") return false;
    throw error;
  }
  await store.turn();
  return true;
};

/** @returns false when a bar existed after all; then the rows of earlier statements are stored */
export const copyBars = async (
  store: Store,
  copyText: NonNullable<Store["copyText"]>,
  rows: readonly BarRow[],
  writer: WriterToken | undefined,
): Promise<boolean> => {
  for (const lines of barLines(rows)) if (!(await copyLines(store, copyText, lines, writer))) return false;
  return true;
};

const STATEMENT = `copy bars (${COPIED_COLUMNS}) from stdin`;

/** Text sent at once; more is built meanwhile. */
const CHUNK_CHARS = 200_000;

export interface BarCopy {
  /** Sends bars, with backpressure. @returns false once the server has refused one */
  add(bars: readonly BarRow[]): Promise<boolean>;
  /** Ends the COPY. @returns whether the bars are stored; false when one of them already existed, and then none is */
  finish(): Promise<boolean>;
  /** Aborts the COPY; no bar is stored. */
  abandon(): Promise<void>;
}

/**
 * Starts a COPY.
 * @returns null on an engine where COPY is no faster
 * @throws StoreUnavailableError when the server does not answer
 */
export const openBarCopy = async (store: Store): Promise<BarCopy | null> => {
  if (!store.copyInto) return null;
  const stream: RowStream = await store.copyInto(STATEMENT, store.now());
  const line = lineWriter();
  let text = "";
  let inFlight: Promise<void> = Promise.resolve();
  let isRefused = false;
  const unlessRefused = async (step: Promise<void>): Promise<boolean> => {
    try {
      await step;
    } catch (error) {
      if (!(error instanceof StoreQueryError)) throw error;
      isRefused = true;
    }
    return !isRefused;
  };
  /** Sends the collected rows; the next ones are built while the server processes these. */
  const flush = async (): Promise<boolean> => {
    const chunk = text;
    text = "";
    if (!(await unlessRefused(inFlight))) return false;
    inFlight = stream.write(chunk);
    // Awaited a turn later; until then its rejection must not count as unhandled.
    inFlight.catch(() => {});
    return true;
  };
  return {
    add: async (bars) => {
      if (isRefused) return false;
      for (const bar of bars) text += line(bar);
      return text.length < CHUNK_CHARS || flush();
    },
    finish: async () => {
      if (!isRefused && (await flush()) && (await unlessRefused(inFlight))) return unlessRefused(stream.finish());
      await stream.abandon();
      return false;
    },
    abandon: async () => {
      await inFlight.catch(() => {});
      await stream.abandon();
    },
  };
};
