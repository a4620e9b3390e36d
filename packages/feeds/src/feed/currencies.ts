/** The currencies read from rate tables. */
import { CURRENCIES } from "@assay/contract";

/** Quote currencies, and those of the physical markets that are not quote currencies. */
export const TABLE_CURRENCIES: readonly string[] = [...CURRENCIES, "AED", "EGP", "NPR", "PKR", "SAR", "VND"].sort();
