/**
 * Tables of the market: published ticks and what confirms them, bars, currency rates, settlements, dealers' quotes and
 * surfaces.
 */
import type {
  DealerForm,
  DealerKind,
  DealerWeightUnit,
  FuturesSymbol,
  Interval,
  PhysicalCountry,
  SettlementType,
  SurfaceMetal,
} from "@assay/contract";
import type { BeliefState, FxObservation, HorizonSurface, Instrument, PublishedPair, RateTable, Tick } from "@assay/pricing";
import { boolean, date, index, json, numeric, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { count, instant } from "./columns.ts";

/**
 * Published ticks of the last hour, and the newest before it: they restore latest prices, the delayed view and `seq`. The payload is `json`, not `jsonb`, to preserve every digit.
 */
export const ticks = pgTable(
  "ticks",
  {
    instrument: text().$type<Instrument>().notNull(),
    seq: count().notNull(),
    computedAtMs: instant("computed_at").notNull(),
    payload: json().$type<Tick>().notNull(),
  },
  (table) => [
    primaryKey({ name: "ticks_pk", columns: [table.instrument, table.seq] }),
    index("ticks_by_time").on(table.computedAtMs),
  ],
);

/**
 * What confirms each instrument's price, and which of its ticks were withdrawn: it survives restarts and reaches other processes. The
 * document is `json`, as above.
 */
export const beliefs = pgTable(
  "beliefs",
  {
    instrument: text().$type<Instrument>().notNull(),
    document: json().$type<BeliefState>().notNull(),
  },
  (table) => [primaryKey({ name: "beliefs_pk", columns: [table.instrument] })],
);

const barColumns = () => ({
  symbol: text().notNull(),
  interval: text().$type<Interval>().notNull(),
  barStartMs: instant("bar_start").notNull(),
  open: numeric(),
  high: numeric(),
  low: numeric(),
  close: numeric().notNull(),
  volume: numeric(),
  isClosed: boolean("is_closed").notNull(),
  sourceId: text("source_id").notNull(),
  /** The revision a closed bar was written at; below zero it is the number of a COPY, whose revision is in `revisions`. */
  revision: count().notNull(),
});

/** Bars of all intervals, forming and closed; prices are rounded on output. The primary key reads a page of a series in order. */
export const bars = pgTable("bars", barColumns(), (table) => [
  primaryKey({ name: "bars_pk", columns: [table.symbol, table.interval, table.barStartMs] }),
]);

/** Closed bars that were superseded or removed, which a trigger keeps. */
export const barsPast = pgTable("bars_past", { ...barColumns(), toRevision: count("to_revision").notNull() }, (table) => [
  primaryKey({ name: "bars_past_pk", columns: [table.symbol, table.interval, table.barStartMs, table.toRevision] }),
]);

const fxColumns = () => ({
  source: text().notNull(),
  base: text().notNull(),
  observedAtMs: instant("observed_at").notNull(),
  role: text().$type<FxObservation["role"]>().notNull(),
  freshForMs: count("fresh_for_ms").notNull(),
  rates: json().$type<FxObservation["rates"]>().notNull(),
  /** The revision a reference was written at, by a trigger; live tables have none. */
  revision: count().notNull(),
});

/** Currency rates by source, base and moment: live tables of the last hour, and every daily reference. */
export const fxTables = pgTable("fx_tables", fxColumns(), (table) => [
  primaryKey({ name: "fx_tables_pk", columns: [table.source, table.base, table.observedAtMs] }),
]);

/** References that were restated or removed, which a trigger keeps. */
export const fxTablesPast = pgTable("fx_tables_past", { ...fxColumns(), toRevision: count("to_revision").notNull() }, (table) => [
  primaryKey({ name: "fx_tables_past_pk", columns: [table.source, table.base, table.observedAtMs, table.toRevision] }),
]);

/** The rates that stood beside ticks, one row whenever they change. The document is `json`, as a tick's. */
export const rateSets = pgTable(
  "rate_sets",
  {
    id: count().notNull(),
    beganAtMs: instant("began_at").notNull(),
    document: json().$type<RateTable>().notNull(),
  },
  (table) => [primaryKey({ name: "rate_sets_pk", columns: [table.id] }), index("rate_sets_by_time").on(table.beganAtMs)],
);

/** How each day of an instrument began, for changes in other currencies. */
export const dayPairs = pgTable(
  "day_pairs",
  {
    instrument: text().$type<Instrument>().notNull(),
    day: date().notNull(),
    opens: json().$type<PublishedPair>().notNull(),
    before: json().$type<PublishedPair>(),
  },
  (table) => [primaryKey({ name: "day_pairs_pk", columns: [table.instrument, table.day] })],
);

const settlementColumns = () => ({
  symbol: text().$type<FuturesSymbol>().notNull(),
  futuresContract: text("futures_contract").notNull(),
  settlementDate: date("settlement_date").notNull(),
  source: text().notNull(),
  observedAtMs: instant("observed_at").notNull(),
  price: numeric().notNull(),
  volume: count(),
  openInterest: count("open_interest"),
  sourceType: text("source_type").$type<SettlementType>().notNull(),
  fetchedAtMs: instant("fetched_at").notNull(),
  /** As of a bar. */
  revision: count().notNull(),
});

/** Futures settlements by contract, day and source; each correction is a separate row. Prices are unrounded. The index reads a window of days. */
export const settlements = pgTable("settlements", settlementColumns(), (table) => [
  primaryKey({
    name: "settlements_pk",
    columns: [table.symbol, table.futuresContract, table.settlementDate, table.source, table.observedAtMs],
  }),
  index("settlements_by_day").on(table.symbol, table.settlementDate),
]);

/** Settlements that were superseded or removed, which a trigger keeps. */
export const settlementsPast = pgTable(
  "settlements_past",
  { ...settlementColumns(), toRevision: count("to_revision").notNull() },
  (table) => [
    primaryKey({
      name: "settlements_past_pk",
      columns: [table.symbol, table.settlementDate, table.futuresContract, table.source, table.observedAtMs, table.toRevision],
    }),
  ],
);

/** Every change of every dealer's product, numbered per country, with the published digits. One index finds a product's newest, the other the changes since an instant. */
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

/** The newest surface of each metal and horizon, served after a restart or while a venue is silent; deleted once the horizon is over. */
export const surfaces = pgTable(
  "surfaces",
  {
    metal: text().$type<SurfaceMetal>().notNull(),
    horizon: date().notNull(),
    /** When the last market of the horizon ends. */
    expiresAtMs: instant("expires_at").notNull(),
    computedAtMs: instant("computed_at").notNull(),
    document: json().$type<HorizonSurface>().notNull(),
  },
  (table) => [primaryKey({ name: "surfaces_pk", columns: [table.metal, table.horizon] })],
);
