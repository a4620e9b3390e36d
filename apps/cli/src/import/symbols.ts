/** The series bars can be imported into. */
import { BAR_SYMBOLS, type Interval } from "@assay/contract";
import { DAILY_SYMBOLS, type DailySymbol, readBarSymbol } from "@assay/pricing";
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

/**
 * Parses the name of a series, in any case, with dashes or slashes.
 * @throws ImportError when there is no such series
 */
export const readImportSymbol = (text: string): DailySymbol => {
  const symbol = readBarSymbol(text) ?? RATIO_ALIASES[text.toUpperCase().replaceAll("/", "-")];
  if (!symbol) throw new ImportError(`unknown symbol ${JSON.stringify(text)}; must be one of ${DAILY_SYMBOLS.join(", ")}`);
  return symbol;
};

/**
 * Refuses intervals a series does not have.
 * @throws ImportError
 */
export const requireInterval = (symbol: DailySymbol, interval: Interval): void => {
  if (interval !== "1d" && !BAR_SYMBOLS.some((each) => each === symbol)) {
    throw new ImportError(`${symbol} has only daily bars; --interval must be 1d, not ${interval}`);
  }
};

/** Whether a series has no volume on the wire: spot is not traded in one place that could count it. */
export const isSpotSeries = (symbol: string): boolean => symbol.endsWith("-SPOT");
