/** Writes changes of dealers' quotes to the store, and deletes expired ones. */
import type { DealerTick } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { BULK_TIMEOUT_MS, rowsOf, type Store } from "../store.ts";
import { unnest } from "./columns.ts";
import { insertBehindFence, type WriterToken } from "./fence.ts";

/**
 * Writes changes, all or none.
 * @throws StaleTokenError when a newer writer has written since; nothing is stored
 * @throws StoreQueryError with code 23505 when a country's number is taken; nothing is stored
 * @throws StoreUnavailableError when the server did not answer: all or none of them may be stored
 */
export const writeDealerQuotes = (store: Store, writer: WriterToken, quotes: readonly DealerTick[]): Promise<void> =>
  insertBehindFence(store, writer, [
    sql`
      insert into dealer_quotes (country, seq, source, product_id, dealer, kind, metal, product, form, karat, fineness, weight,
        weight_unit, currency, sell, buyback, tax_included, source_url, observed_at, fetched_at)
      select
        ${unnest(quotes, (quote) => quote.country, "text")},
        ${unnest(quotes, (quote) => quote.seq, "bigint")},
        ${unnest(quotes, (quote) => quote.source, "text")},
        ${unnest(quotes, (quote) => quote.id, "text")},
        ${unnest(quotes, (quote) => quote.dealer, "text")},
        ${unnest(quotes, (quote) => quote.kind, "text")},
        ${unnest(quotes, (quote) => quote.metal, "text")},
        ${unnest(quotes, (quote) => quote.product, "text")},
        ${unnest(quotes, (quote) => quote.form, "text")},
        ${unnest(quotes, (quote) => quote.karat, "numeric")},
        ${unnest(quotes, (quote) => quote.fineness, "numeric")},
        ${unnest(quotes, (quote) => quote.weight, "numeric")},
        ${unnest(quotes, (quote) => quote.weightUnit, "text")},
        ${unnest(quotes, (quote) => quote.currency, "text")},
        ${unnest(quotes, (quote) => quote.sell, "numeric")},
        ${unnest(quotes, (quote) => quote.buyback, "numeric")},
        ${unnest(quotes, (quote) => (quote.taxIncluded ? "t" : "f"), "boolean")},
        ${unnest(quotes, (quote) => quote.sourceUrl, "text")},
        ${unnest(quotes, (quote) => formatInstant(quote.observedAtMs), "timestamptz")},
        ${unnest(quotes, (quote) => formatInstant(quote.fetchedAtMs), "timestamptz")}
      from fence`,
  ]);

/**
 * Deletes changes that were read before an instant, except the newest of each product, which prices and numbering depend on.
 * @param sources only these sources; defaults to all
 */
export const pruneDealerQuotes = async (store: Store, beforeMs: number, sources?: readonly string[]): Promise<void> => {
  const theirs = sources ? sql`source in (select json_array_elements_text(${JSON.stringify(sources)}::text::json)) and` : sql``;
  const statement = sql`
    delete from dealer_quotes as old
    where ${theirs} fetched_at < ${formatInstant(beforeMs)}::timestamptz and exists (
      select from dealer_quotes as newer
      where newer.country = old.country and newer.product_id = old.product_id and newer.seq > old.seq)`;
  await store.run((db) => rowsOf(db, statement), BULK_TIMEOUT_MS);
};
