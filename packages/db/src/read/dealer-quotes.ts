/** Dealers' quotes: the current quote of each product, and recent changes. */
import type { DealerTick } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";

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
