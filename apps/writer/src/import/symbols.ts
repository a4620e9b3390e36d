/** The series bars can be imported into. */
import { BAR_SYMBOLS, type Interval } from "@assay/contract";
import { type DailySymbol, readBarSymbol } from "@assay/pricing";
import { ImportError } from "./import-error.ts";

/** Series kept for ratios only, as daily closes. */
const RATIO_ALIASES: Readonly<Record<string, DailySymbol>> = {
  XPT: "XPT-USD-SPOT",
  "XPT-USD": "XPT-USD-SPOT",
  "XPT-USD-SPOT": "XPT-USD-SPOT",
  PLATINUM: "XPT-USD-SPOT",
  XPD: "XPD-USD-SPOT",
  "XPD-USD": "XPD-USD-SPOT",
  "XPD-USD-SPOT": "XPD-USD-SPOT",
  PALLADIUM: "XPD-USD-SPOT",
};

/** Every series, in canonical form. */
export const IMPORT_SYMBOLS: readonly DailySymbol[] = [...BAR_SYMBOLS, "XPT-USD-SPOT", "XPD-USD-SPOT"];

/**
 * Reads the name of a series, in any case, with dashes or slashes.
 * @throws ImportError when there is none of that name
 */
export const readImportSymbol = (text: string): DailySymbol => {
  const symbol = readBarSymbol(text) ?? RATIO_ALIASES[text.toUpperCase().replaceAll("/", "-")];
  if (!symbol) throw new ImportError(`unknown symbol ${JSON.stringify(text)}; there are ${IMPORT_SYMBOLS.join(", ")}`);
  return symbol;
};

/**
 * Refuses intervals a series does not have.
 * @throws ImportError
 */
export const requireInterval = (symbol: DailySymbol, interval: Interval): void => {
  if (interval !== "1d" && (symbol === "XPT-USD-SPOT" || symbol === "XPD-USD-SPOT")) {
    throw new ImportError(`${symbol} has daily bars only; --interval ${interval} does not fit`);
  }
};

/** Whether a series has no volumes on the wire: immediate delivery is not traded in one place that could count. */
export const isSpotSeries = (symbol: string): boolean => symbol.endsWith("-SPOT");
