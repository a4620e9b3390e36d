/** Dealers' quotes: every change of every product, numbered per country, with the published digits. */
import type { DealerForm, DealerKind, DealerWeightUnit, PhysicalCountry } from "@assay/contract";
import { boolean, index, numeric, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { count, instant } from "./columns.ts";

/** One row per change. One index finds a product's newest, the other the changes since an instant. */
export const dealerQuotes = pgTable(
  "dealer_quotes",
  {
    country: text().$type<PhysicalCountry>().notNull(),
    seq: count().notNull(),
    source: text().notNull(),
    productId: text("product_id").notNull(),
    dealer: text().notNull(),
    kind: text().$type<DealerKind>().notNull(),
    metal: text().$type<"XAU">().notNull(),
    product: text().notNull(),
    form: text().$type<DealerForm>().notNull(),
    karat: numeric().notNull(),
    fineness: numeric(),
    weight: numeric().notNull(),
    weightUnit: text("weight_unit").$type<DealerWeightUnit>().notNull(),
    currency: text().notNull(),
    sell: numeric(),
    buyback: numeric(),
    taxIncluded: boolean("tax_included").notNull(),
    sourceUrl: text("source_url").notNull(),
    observedAtMs: instant("observed_at").notNull(),
    fetchedAtMs: instant("fetched_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "dealer_quotes_pk", columns: [table.country, table.seq] }),
    index("dealer_quotes_by_product").on(table.country, table.productId, table.seq),
    index("dealer_quotes_by_time").on(table.fetchedAtMs),
  ],
);
