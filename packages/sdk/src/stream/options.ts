/** Options of a subscription, checked and with defaults applied: which names it may follow, and how. */
import { checkCount, checkOptions, checkSignal } from "../core/checks.ts";
import {
  PHYSICAL_CHANNELS,
  type PhysicalChannel,
  SSE_SYMBOLS,
  type SseSymbol,
  STREAM_SYMBOLS,
  type StreamSymbol,
} from "../generated/stream.ts";
import type { StreamName } from "./events.ts";

/** The transport. */
export type Transport = "websocket" | "sse";

const LISTED: Readonly<Record<Transport, readonly string[]>> = {
  websocket: [...STREAM_SYMBOLS, ...PHYSICAL_CHANNELS],
  sse: SSE_SYMBOLS,
};
const KNOWN: ReadonlySet<string> = new Set([...LISTED.websocket, ...LISTED.sse]);

/** Streams are in USD. */
const SYMBOL = /^[A-Z][A-Z0-9]{1,7}-USD-SPOT$/;

/** Whether a name is a symbol; otherwise it is a channel. */
export const isSymbol = (name: string): boolean => SYMBOL.test(name);

/**
 * Whether a transport may carry a name. A symbol that is in no list may be one that the operator has added: the service decides.
 * @param name a symbol or channel
 */
export const mayCarry = (transport: Transport, name: string): boolean =>
  LISTED[transport].includes(name) || (isSymbol(name) && !KNOWN.has(name));

/**
 * Checks names.
 * @param names symbols and channels
 * @throws TypeError naming the first that the transport does not support
 */
export const checkNames = (names: readonly StreamName[], transport: Transport): void => {
  for (const name of names) {
    if (!mayCarry(transport, name))
      throw new TypeError(`${JSON.stringify(name)} is not available over ${transport}; use ${LISTED[transport].join(", ")}`);
  }
};

const DEFAULT_MAX_QUEUED = 4_096;

/** Where an earlier run stopped: the last tick itself, or the parts of it that were saved. */
export interface ResumePoint {
  readonly seq: number;
  /** When it was computed, or quoted for a channel. A Date, or ISO-8601 text. */
  readonly computedAt: Date | string;
}

/** The options of both transports. */
interface CommonOptions {
  /**
   * Where to resume, by name: later values are sent, or reported in a `gap`. The last tick, or its `seq` and `computedAt`; with
   * a `seq` alone `fillGaps` does not know the time, and cannot fill what was missed between two runs.
   */
  readonly resume?: Readonly<Partial<Record<StreamName, number | ResumePoint>>> | undefined;
  /** How many times in a row a connection may fail before the stream ends. Default: no limit. */
  readonly maxReconnects?: number | undefined;
  /** How many events may be queued for a slow reader before they are conflated to the newest of each name. Default 4 096. */
  readonly maxQueued?: number | undefined;
  /** `"bars"` adds the closed minutes of the missed time to each `gap`. Default: nothing is fetched. */
  readonly fillGaps?: "bars" | undefined;
  /** Aborts the stream; the loop then fails with a `RequestAbortedError`. */
  readonly signal?: AbortSignal | undefined;
}

/** Over one WebSocket. Needs a key of tier Realtime Pro. */
export interface WebSocketOptions extends CommonOptions {
  readonly transport?: "websocket" | undefined;
  /** Symbols to follow. */
  readonly symbols?: readonly StreamSymbol[] | undefined;
  /** Channels of dealers' quotes to follow. */
  readonly channels?: readonly PhysicalChannel[] | undefined;
}

/** Over server-sent events, one request per symbol; each counts as a stream of the key. Needs a key of tier Pro. */
export interface SseOptions extends CommonOptions {
  readonly transport: "sse";
  /** Symbols to follow. */
  readonly symbols: readonly SseSymbol[];
  /** Not supported over server-sent events. */
  readonly channels?: undefined;
}

/** Options of a subscription. */
export type SubscribeOptions = WebSocketOptions | SseOptions;

/** Every option. */
const OPTIONS: Readonly<Record<keyof SubscribeOptions, true>> = {
  symbols: true,
  channels: true,
  transport: true,
  resume: true,
  maxReconnects: true,
  maxQueued: true,
  fillGaps: true,
  signal: true,
};

/** The reader's last value of a name. */
export interface LastSeen {
  readonly seq: number;
  /** Epoch milliseconds; null when unknown. */
  readonly atMs: number | null;
}

/** Complete options. */
export interface SubscriptionSettings {
  readonly transport: Transport;
  readonly names: readonly StreamName[];
  readonly resume: ReadonlyMap<StreamName, LastSeen>;
  readonly maxReconnects: number;
  readonly maxQueued: number;
  readonly fillGaps: boolean;
  readonly signal: AbortSignal | undefined;
}

const lastSeen = (name: string, given: number | ResumePoint): LastSeen => {
  const { seq, computedAt } = typeof given === "number" ? { seq: given, computedAt: null } : given;
  const atMs = computedAt === null ? null : new Date(computedAt).getTime();
  if (Number.isNaN(atMs)) throw new TypeError(`computedAt in resume of ${name} must be a Date or ISO-8601 text`);
  return { seq: checkCount(`resume of ${name}`, seq, 0), atMs };
};

/**
 * Checks options and applies the defaults.
 * @throws TypeError or RangeError naming the option
 */
export const subscriptionSettings = (options: SubscribeOptions = {}): SubscriptionSettings => {
  checkOptions(options, OPTIONS);
  checkSignal(options.signal);
  const { transport = "websocket", symbols = [], channels = [], resume = {}, fillGaps } = options;
  if (transport !== "websocket" && transport !== "sse") throw new TypeError('transport must be "websocket" or "sse"');
  for (const [name, list] of Object.entries({ symbols, channels }))
    if (!Array.isArray(list)) throw new TypeError(`${name} must be a list`);
  if (fillGaps !== undefined && fillGaps !== "bars") throw new TypeError('fillGaps must be "bars"');
  const names: StreamName[] = [...new Set([...symbols, ...channels])];
  if (names.length === 0) throw new TypeError("symbols and channels are empty; pass at least one to follow");
  checkNames(names, transport);
  const points = Object.entries(resume).flatMap(
    ([name, given]) => (given === undefined ? [] : [[name as StreamName, lastSeen(name, given)] as const]), // as the option's type says
  );
  return {
    transport,
    names,
    resume: new Map(points),
    maxReconnects: checkCount("maxReconnects", options.maxReconnects ?? Number.POSITIVE_INFINITY, 0),
    maxQueued: checkCount("maxQueued", options.maxQueued ?? DEFAULT_MAX_QUEUED, 1),
    fillGaps: fillGaps !== undefined,
    signal: options.signal,
  };
};
