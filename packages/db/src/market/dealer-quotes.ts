/** Dealers' quotes: the current quote of each product, and recent changes. */
import type { DealerTick } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { insertBehindFence, type WriterToken } from "../statements/fence.ts";
import { unnest } from "../statements/values.ts";
import { BULK_TIMEOUT_MS, rowsOf, type Store } from "../store.ts";

const COLUMNS = sql`
  country, seq::float8, source, product_id as id, dealer, kind, metal, product, form, karat::float8, fineness::text,
  weight::text, weight_unit as "weightUnit", currency, sell::text, buyback::text, tax_included as "taxIncluded",
  source_url as "sourceUrl", (extract(epoch from observed_at) * 1000)::float8 as "observedAtMs",
  (extract(epoch from fetched_at) * 1000)::float8 as "fetchedAtMs"`;

/** Every product, each found from the previous one through the index, independent of the number of changes. */
const PRODUCTS = sql`
  products as (
    (select country, product_id from dealer_quotes order by country, product_id limit 1)
    union all
    select next.country, next.product_id from products cross join lateral (
      select country, product_id from dealer_quotes
      where (country, product_id) > (products.country, products.product_id)
      order by country, product_id limit 1) as next)`;

/**
 * Reads the newest quote of every product. A country's highest number is the last one assigned; the next is one more.
 * @returns by country, then by number
 */
export const readNewestDealerQuotes = (store: Store): Promise<DealerTick[]> =>
  store.run((db) =>
    rowsOf<DealerTick>(
      db,
      sql`
        with recursive ${PRODUCTS}
        select newest.* from products cross join lateral (
          select ${COLUMNS} from dealer_quotes
          where country = products.country and product_id = products.product_id
          order by dealer_quotes.seq desc limit 1) as newest
        order by country, seq`,
    ),
  );

/**
 * Reads the changes from an instant on, and each country's last change before it.
 * @returns by country, then by number
 */
export const readDealerChanges = (store: Store, sinceMs: number): Promise<DealerTick[]> =>
  store.run((db) => {
    const since = formatInstant(sinceMs);
    return rowsOf<DealerTick>(
      db,
      sql`
        with recursive ${PRODUCTS}, countries as (select distinct country as code from products)
        select * from (
          select ${COLUMNS} from dealer_quotes where fetched_at >= ${since}::timestamptz
          union all
          select before.* from countries cross join lateral (
            select ${COLUMNS} from dealer_quotes
            where country = countries.code and fetched_at < ${since}::timestamptz
            order by dealer_quotes.seq desc limit 1) as before
        ) as wanted
        order by country, seq`,
    );
  });

/**
 * Writes changes, all or none.
 * @throws StaleTokenError when a newer writer has written since; nothing is stored
 * @throws StoreQueryError with code 23505 when a country's number is taken; nothing is stored
 * @throws StoreUnavailableError when the server did not answer: all or none of them may be stored
 */
export const writeDealerQuotes = async (store: Store, writer: WriterToken, quotes: readonly DealerTick[]): Promise<void> => {
  await insertBehindFence(store, writer, [
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
};

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
