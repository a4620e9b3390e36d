/** The currencies that are taken from a table of rates. */
import { CURRENCIES } from "@assay/contract";

/** Quote currencies, and those of the physical markets that are no quote currency. */
export const TABLE_CURRENCIES: readonly string[] = [...CURRENCIES, "AED", "EGP", "NPR", "PKR", "SAR", "VND"].sort();
