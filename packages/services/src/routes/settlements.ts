/** GET /v1/settlements: the active contract's settlement of each day of a window, newest first. */
import { type AssayContract, DAY_MS, Encoded, FUTURES_SYMBOLS, upperCase, type Verb } from "@assay/contract";
import { addDays, type CalendarDay, utcDay } from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { readDay } from "../input.ts";
import { knownState } from "../market/snapshot.ts";

const DEFAULT_WINDOW_DAYS = 30;
const MAX_WINDOW_DAYS = 365;
/** The store's calendar has no year 0. */
const FIRST_DAY = "0001-01-01";

const storable = (day: CalendarDay): CalendarDay => (day < FIRST_DAY ? FIRST_DAY : day);

/** Settlements as known at the caller's instant. */
export const listSettlements =
  ({ market, store }: Pick<ServiceDeps, "market" | "store">): Verb<AssayContract["settlements"]["list"], VerbContext> =>
  async (input, { asOfMs: latestMs, nowMs, fail }) => {
    const symbol =
      FUTURES_SYMBOLS.find((each) => each === upperCase(input.symbol)) ??
      fail("bad_request", { message: `symbol must be one of ${FUTURES_SYMBOLS.join(", ")}.` });
    const state = await knownState(store, input.known_at, { nowMs, asOfMs: latestMs, fail });
    const asOfMs = state?.atMs ?? latestMs;
    const to = input.to ?? utcDay(asOfMs);
    const toMs = readDay(to) ?? fail("bad_request", { message: "to must be an existing date, YYYY-MM-DD." });
    const from = input.from ?? addDays(to, -DEFAULT_WINDOW_DAYS);
    const fromMs = readDay(from) ?? fail("bad_request", { message: "from must be an existing date, YYYY-MM-DD." });
    if (fromMs > toMs) return fail("bad_request", { message: "from must not be after to." });
    if (toMs - fromMs > MAX_WINDOW_DAYS * DAY_MS)
      return fail("bad_request", { message: `from must be at most ${MAX_WINDOW_DAYS} days before to.` });
    const rows = await market.settlementYears.rows({
      symbol,
      from: storable(from),
      to: storable(to),
      limit: input.limit,
      asOfMs,
      revision: state?.revision,
    });
    return new Encoded(`{"settlements":[${rows.join(",")}]}`);
  };
