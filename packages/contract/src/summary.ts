/** What Assay is, as the opening of its documents. */
import { CURRENCIES } from "./values.ts";

/** One sentence without the full stop. */
export const SUMMARY = `Prices of gold, silver and copper: spot in ${CURRENCIES.length} currencies, OHLCV bars, conversion and karat prices`;
