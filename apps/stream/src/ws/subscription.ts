/** Resolves the names a connection asks to follow: accepted, or rejected. */
import {
  PHYSICAL_CHANNELS,
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

const CHANNELS = new Map(PHYSICAL_CHANNELS.map((channel) => [channel.toUpperCase(), channel]));
const isStreamSymbol = (symbol: string): symbol is StreamSymbol => (STREAM_SYMBOLS as readonly string[]).includes(symbol);

/** Resolves a symbol, in any case or by an alias; null when it is not streamed. */
export const readStreamSymbol = (written: string): StreamSymbol | null => {
  const reading = readPriceSymbol(written);
  return reading.kind === "known" && isStreamSymbol(reading.entry.symbol) ? reading.entry.symbol : null;
};

/** Resolves a channel, in any case; null when it does not exist. */
export const readChannel = (written: string): StreamName | null => CHANNELS.get(upperCase(written)) ?? null;

/** Resolves a symbol or channel. */
export const readName = (written: string): StreamName | null => readStreamSymbol(written) ?? readChannel(written);

/** A name that was rejected, as sent. */
export interface Rejected {
  readonly name: string;
  readonly code: Rejection;
}

/** What names are checked against. */
export interface NameRules {
  readonly catalog: TierCatalog;
  readonly tier: TierName;
  readonly maxSymbols: number;
}

/** The result of a request. */
export interface Wanted {
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
): Wanted => {
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

/** A set as frames list it: symbols, then channels, each in the order of the contract. */
export const listed = (names: ReadonlySet<StreamName>) => ({
  symbols: STREAM_SYMBOLS.filter((symbol) => names.has(symbol)),
  channels: PHYSICAL_CHANNELS.filter((channel) => names.has(channel)),
});
