/** Answers that are valid individually but inconsistent with each other. */
import type { ProxiedRequest } from "./breaking-proxy.ts";
import { type Body, type BrokenWay, field, query } from "./broken-way.ts";

const rows = (change: (rows: Body[], request: ProxiedRequest) => Body[]): BrokenWay["breakage"] =>
  field("bars", ({ bars }, request) => bars && change(bars as Body[], request)); // the route's own field

const isLaterPage = ({ path }: ProxiedRequest): boolean => new URL(path, "http://service").searchParams.has("cursor");

export const BROKEN_INVARIANTS: readonly BrokenWay[] = [
  {
    what: "pages that skip a row",
    only: "bars.list",
    caughtBy: "invariants: joined pages equal the whole window",
    also: ["responses", "invariants"],
    breakage: rows((all, request) => (isLaterPage(request) ? all.slice(1) : all)),
  },
  {
    what: "pages that repeat a row",
    only: "bars.list",
    caughtBy: "invariants: joined pages equal the whole window",
    also: ["responses", "invariants"],
    breakage: rows((all, request) => (isLaterPage(request) ? [...all.slice(0, 1), ...all] : all)),
  },
  {
    what: "oldest first",
    only: "bars.list",
    caughtBy: "invariants: newest first, no row twice",
    also: ["invariants"],
    breakage: rows((all) => all.toReversed()),
  },
  {
    what: "an order nobody heeds",
    only: "bars.list",
    caughtBy: "invariants: oldest first is the same list",
    also: ["invalid input"],
    breakage: query((it) => it.delete("order")),
  },
  {
    what: "cursors nobody checks",
    only: "bars.list",
    caughtBy: "invariants: a cursor works only for its own query",
    also: ["invalid input", "invariants"],
    breakage: query((it) => it.delete("cursor")),
  },
  {
    what: "a high below its low",
    only: "bars.list",
    caughtBy: "responses: figures agree",
    also: ["invariants"],
    breakage: rows((all) => all.map((row) => ({ ...row, high: row.low, low: row.high }))),
  },
  {
    what: "a row that is not the list's",
    only: "spot.get",
    caughtBy: "invariants: the row of XAU-USD-SPOT equals the one in the list",
    also: ["invariants"],
    breakage: field("ask", ({ ask, price }, { path }) => (path.startsWith("/v1/spot") ? price : ask)),
  },
  {
    what: "a rate that does not lead back",
    only: "convert.get",
    caughtBy: "invariants: USD to INR and back is 1",
    breakage: field("rate", ({ from, rate }) => (from === "INR" ? "0.0003" : rate)),
  },
  {
    what: "a result rounded down",
    only: "convert.get",
    caughtBy: "invariants: a result is amount × rate",
    also: ["invariants"],
    breakage: field("result", ({ result }) => result && String(result).replace(/\..*/, ".00")),
  },
  {
    what: "karat prices of another purity",
    only: "carat.get",
    caughtBy: "invariants: karat prices follow spot",
    also: ["invariants"],
    breakage: field("price_gram_18k", ({ price_gram_20k: other }) => other),
  },
];
