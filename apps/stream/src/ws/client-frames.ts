/** What clients send: how many frames, what they say, and which names they may follow. */
import {
  type ClientFrame,
  clientFrame,
  frameId,
  isRecord,
  PHYSICAL_CHANNELS,
  parseJson,
  type Rejection,
  STREAM_SYMBOLS,
  type StreamName,
  type StreamSymbol,
  type TierCatalog,
  type TierName,
  upperCase,
} from "@assay/contract";
import { readPriceSymbol } from "@assay/pricing";
import { allowsSymbol } from "@assay/services";

/** A sliding window: a maximum number within any period of its length. */
export class FrameRate {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #atMs: number[] = [];
  #next = 0;

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Counts a frame; false when it exceeds the limit. */
  take(nowMs: number): boolean {
    const oldestMs = this.#atMs[this.#next];
    if (oldestMs !== undefined && nowMs - oldestMs < this.#windowMs) return false;
    this.#atMs[this.#next] = nowMs;
    this.#next = (this.#next + 1) % this.#limit;
    return true;
  }
}

type FrameId = string | number | undefined;

export type FrameReading =
  | { readonly name: "auth" | "subscribe" | "unsubscribe" | "ping"; readonly frame: ClientFrame }
  /** A known action with invalid fields. */
  | { readonly name: "invalid"; readonly id: FrameId; readonly message: string }
  /** Anything else; the message says more than the close code's, where there is more to say. */
  | { readonly name: "badFrame"; readonly message?: string };

/** The fields of each action's frame. */
const FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map(
  clientFrame.options.map((option) => [option.shape.action.value, Object.keys(option.shape)]),
);
const BAD: FrameReading = { name: "badFrame" };
const UNKNOWN_ACTION: FrameReading = { name: "badFrame", message: `The action is not one of ${[...FIELDS.keys()].join(", ")}.` };
/** How much of an unknown name a message repeats. */
const MAX_NAME = 64;

/** A name without case, separators and a plural's end: `Symbol` is `symbols`. */
const fold = (name: string): string => name.toLowerCase().replaceAll(/[_-]|s$/g, "");

/** What is wrong with the first field that an action does not have; undefined when it has them all. */
const unknownField = (frame: object, action: string, fields: readonly string[]): string | undefined => {
  const unknown = Object.keys(frame).find((name) => !fields.includes(name) && !name.startsWith("_"));
  if (unknown === undefined) return undefined;
  const meant = fields.find((name) => fold(name) === fold(unknown));
  const way = meant === undefined ? `the fields are ${fields.join(", ")}` : `it is written ${meant}`;
  return `${unknown.slice(0, MAX_NAME) || "an empty name"} is not a field of ${action}: ${way}`;
};

/**
 * Parses a frame.
 * @param text a text message; the socket has checked its length and UTF-8
 */
export const readFrame = (text: string): FrameReading => {
  const value = parseJson(text);
  if (!isRecord(value)) return BAD;
  const { action } = value;
  const fields = FIELDS.get(action);
  if (fields === undefined) return UNKNOWN_ACTION;
  const invalid = (message: string): FrameReading => ({ name: "invalid", id: frameId.safeParse(value.id).data, message });
  // An auth frame asks for no price, and a refused one would cost the connection.
  const unknown = action === "auth" ? undefined : unknownField(value, String(action), fields);
  if (unknown !== undefined) return invalid(unknown);
  const read = clientFrame.safeParse(value);
  if (read.success) return { name: read.data.action, frame: read.data };
  const [issue] = read.error.issues;
  return invalid(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not valid"}`);
};

const CHANNELS = new Map(PHYSICAL_CHANNELS.map((channel) => [channel.toUpperCase(), channel]));
const isStreamSymbol = (symbol: string): symbol is StreamSymbol => (STREAM_SYMBOLS as readonly string[]).includes(symbol);

/** Resolves a symbol, in any case or by an alias; null when it is not streamed. */
const readStreamSymbol = (written: string): StreamSymbol | null => {
  const reading = readPriceSymbol(written);
  return reading.kind === "known" && isStreamSymbol(reading.entry.symbol) ? reading.entry.symbol : null;
};

/** Resolves a channel, in any case; null when it does not exist. */
const readChannel = (written: string): StreamName | null => CHANNELS.get(upperCase(written)) ?? null;

export const readName = (written: string): StreamName | null => readStreamSymbol(written) ?? readChannel(written);

/** A name that was rejected, as sent. */
interface Rejected {
  readonly name: string;
  readonly code: Rejection;
}

interface NameRules {
  readonly catalog: TierCatalog;
  readonly tier: TierName;
  readonly maxSymbols: number;
}

interface JudgedNames {
  readonly names: readonly StreamName[];
  readonly rejected: readonly Rejected[];
}

/**
 * Checks names to be followed in addition to others.
 * @param followed what the connection already follows
 */
export const judgeNames = (
  wanted: { readonly symbols: readonly string[]; readonly channels: readonly string[] },
  followed: ReadonlySet<StreamName>,
  { catalog, tier, maxSymbols }: NameRules,
): JudgedNames => {
  const names = new Set<StreamName>();
  const rejected: Rejected[] = [];
  const symbols = new Set([...followed].filter(isStreamSymbol));
  for (const written of wanted.symbols) {
    const symbol = readStreamSymbol(written);
    const reading = readPriceSymbol(written);
    if (symbol === null || reading.kind !== "known") rejected.push({ name: written, code: "invalid_symbol" });
    else if (!allowsSymbol(catalog, tier, reading.entry)) rejected.push({ name: written, code: "plan_gated" });
    else if (!symbols.has(symbol) && symbols.size >= maxSymbols) rejected.push({ name: written, code: "too_many_symbols" });
    else {
      symbols.add(symbol);
      names.add(symbol);
    }
  }
  for (const written of wanted.channels) {
    const channel = readChannel(written);
    if (channel === null) rejected.push({ name: written, code: "invalid_symbol" });
    else names.add(channel);
  }
  return { names: [...names], rejected };
};

/**
 * Checks the numbers a client names.
 * @param followed what the connection follows once the request is carried out
 * @returns for each name the lowest number given for it, so that nothing is missed; and what was given for other names
 */
export const judgeResume = (
  { symbols, channels, resume = {} }: Extract<ClientFrame, { action: "subscribe" }>,
  followed: ReadonlySet<StreamName>,
): { readonly seqs: ReadonlyMap<StreamName, number>; readonly rejected: readonly Rejected[] } => {
  const seqs = new Map<StreamName, number>();
  const rejected: Rejected[] = [];
  const asked = new Set([...symbols, ...channels].map((written) => readName(written) ?? written));
  for (const [written, seq] of Object.entries(resume)) {
    const name = readName(written);
    if (name !== null && followed.has(name)) seqs.set(name, Math.min(seq, seqs.get(name) ?? seq));
    // A name that was rejected as a subscription is listed already.
    else if (!asked.has(name ?? written)) rejected.push({ name: written, code: "invalid_symbol" });
  }
  return { seqs, rejected };
};

/** A set as frames list it: symbols, then channels, each in the order of the contract. */
export const listed = (names: ReadonlySet<StreamName>) => ({
  symbols: STREAM_SYMBOLS.filter((symbol) => names.has(symbol)),
  channels: PHYSICAL_CHANNELS.filter((channel) => names.has(channel)),
});
