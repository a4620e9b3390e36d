/** GET /v1/settlements: the front contract's settlement of each day of a window, newest first. */
import {
  type AssayContract,
  DAY_MS,
  FUTURES_SYMBOLS,
  formatTimestamp,
  type Settlement,
  upperCase,
  type Verb,
} from "@assay/contract";
import { readSettledDays, readSettlements, type SettledDay, type SettlementPick, type SettlementWithPrior } from "@assay/db";
import {
  addDays,
  type CalendarDay,
  dec,
  disclaimerOf,
  frontContract,
  presentBeside,
  presentPrice,
  readFuturesContract,
  utcDay,
} from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { readDay } from "../input/instant.ts";

const DEFAULT_WINDOW_DAYS = 30;
const MAX_WINDOW_DAYS = 365;
/** The store's calendar has no year 0. */
const FIRST_DAY = "0001-01-01";

const storable = (day: CalendarDay): CalendarDay => (day < FIRST_DAY ? FIRST_DAY : day);

/** Picks the contract of a day. */
const pickOf = ({ day, contracts }: SettledDay): SettlementPick[] => {
  const front = frontContract(
    contracts.flatMap((name) => readFuturesContract(name) ?? []),
    day,
  );
  return front ? [{ day, futuresContract: front.name }] : [];
};

const present = (row: SettlementWithPrior): Settlement => {
  const { symbol, settlementDate, price, priorPrice, source, sourceType } = row;
  const disclaimer = disclaimerOf(sourceType);
  return {
    symbol,
    settlement_date: settlementDate,
    settlement_price: presentPrice(price),
    prior_settlement: priorPrice === null ? null : presentPrice(priorPrice),
    change_value: priorPrice === null ? null : presentBeside(dec(price).minus(dec(priorPrice)), price),
    volume: row.volume,
    open_interest: row.openInterest,
    source,
    source_type: sourceType,
    source_timestamp: formatTimestamp(new Date(row.observedAtMs)),
    fetched_at: formatTimestamp(new Date(row.fetchedAtMs)),
    ...(disclaimer === null ? {} : { disclaimer }),
  };
};

/** Settlements as known at the caller's instant. */
export const listSettlements =
  ({ store }: Pick<ServiceDeps, "store">): Verb<AssayContract["settlements"]["list"], VerbContext> =>
  async (input, { asOfMs, fail }) => {
    const symbol =
      FUTURES_SYMBOLS.find((each) => each === upperCase(input.symbol)) ??
      fail("bad_request", { message: "symbol must be GC, SI or HG." });
    const to = input.to ?? utcDay(asOfMs);
    const toMs = readDay(to) ?? fail("bad_request", { message: "to must be an existing date, YYYY-MM-DD." });
    const from = input.from ?? addDays(to, -DEFAULT_WINDOW_DAYS);
    const fromMs = readDay(from) ?? fail("bad_request", { message: "from must be an existing date, YYYY-MM-DD." });
    if (fromMs > toMs) return fail("bad_request", { message: "from must not be after to." });
    if (toMs - fromMs > MAX_WINDOW_DAYS * DAY_MS)
      return fail("bad_request", { message: `from must be at most ${MAX_WINDOW_DAYS} days before to.` });
    const days = await readSettledDays(store, {
      ...{ symbol, from: storable(from), to: storable(to) },
      ...{ limit: input.limit, asOfMs },
    });
    const rows = await readSettlements(store, symbol, days.flatMap(pickOf), asOfMs);
    return { settlements: rows.map(present) };
  };
