/** Compares what is stored with the running catalogue, before anything is added to it. */
import { catalogue, spotSymbol } from "@assay/catalogue";
import { SettingError } from "@assay/config";
import { readStoredSymbols, type Store } from "@assay/db";
import type { Log } from "@assay/live";
import { compareDecimalText } from "@assay/pricing";

/** The bounds of every series, and where they are in the catalogue. */
const BOUNDS = new Map([
  ...catalogue.instruments.map(({ barSymbol, kind, instrument, metal, plausible }) => {
    const path = kind === "fund" ? `funds.${instrument}` : `metals.${metal.code}`;
    return [barSymbol, { path, ...plausible.bounds }] as const;
  }),
  ...catalogue.dailyMetals.map(({ code, bounds }) => [spotSymbol(code), { path: `metals.${code}`, ...bounds }] as const),
]);

/**
 * Names stored series that the catalogue does not have.
 * @throws SettingError for a row whose bounds exclude the newest stored close of its series
 */
export const checkStoredSymbols = async (store: Store, log: Pick<Log, "warn">): Promise<void> => {
  for (const { symbol, newestClose } of await readStoredSymbols(store)) {
    const row = BOUNDS.get(symbol);
    if (row === undefined) {
      log.warn({}, `bars of ${symbol} are stored, but the catalogue does not have it; they are kept and not served`);
    } else if (
      newestClose !== null &&
      (compareDecimalText(newestClose, row.low) < 0 || compareDecimalText(newestClose, row.high) > 0)
    ) {
      throw new SettingError({
        variable: "CATALOG",
        value: process.env.CATALOG ?? "",
        mayHold: `bounds that include the stored price, or a database without ${symbol}`,
        because: `${row.path}.bounds: the newest stored close of ${symbol} is ${newestClose}, outside ${row.low} to ${row.high}`,
      });
    }
  }
};
