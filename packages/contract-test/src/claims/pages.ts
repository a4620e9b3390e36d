/** Paged lists: the pages joined are the whole window, in either order, and a cursor works only for its own query. */
import type { Paging, Route } from "@assay/contract";
import { dateKindOf, daysAgo, edgeOf, REACH_DAYS } from "../inputs/dates.ts";
import { parametersOf } from "../inputs/parameters.ts";
import type { Input } from "../inputs/sample.ts";
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";
import type { Attempt, Claim, Family } from "./claim.ts";

type Row = Readonly<Record<string, unknown>>;

/** More rows than the window contains. */
const WHOLE = 1_000;
const PAGES = 4;
/** Gives up on a list that has not ended by this page. */
const MOST_PAGES = PAGES * 3;

const rowsOf = ({ items }: Paging, exchange: Exchange): Row[] => {
  const rows = fieldsOf(exchange.json)[items];
  return Array.isArray(rows) ? rows.map(fieldsOf) : [];
};

const cursorOf = (exchange: Exchange): string | null => {
  const { next_cursor: cursor } = fieldsOf(exchange.json);
  return typeof cursor === "string" ? cursor : null;
};

/** A window that ended before today, so that all of it is final. */
const windowOf = async ({ route, trial, world }: Attempt): Promise<Input> => {
  const edges = parametersOf(route).flatMap((parameter) => {
    const edge = edgeOf(parameter.name);
    const kind = dateKindOf(parameter);
    return edge && kind ? [[edge, daysAgo(kind, edge === "from" ? REACH_DAYS : 1, world.nowMs())] as const] : [];
  });
  return { ...(await trial.sample()), ...Object.fromEntries(edges) };
};

const ask = async (it: Attempt, input: Input): Promise<Exchange> => {
  const exchange = await it.ask({ input, priority: PRIORITY.invariant });
  if (it.expect(exchange, "success", "a window within every tier's depth")) return exchange;
  throw new NotChecked("the window was not answered");
};

/** The whole window in one page. @throws NotChecked when it has too few rows */
const askWhole = async (it: Attempt, paging: Paging, window: Input) => {
  const whole = await ask(it, { ...window, limit: WHOLE });
  const rows = rowsOf(paging, whole);
  if (rows.length < PAGES) throw new NotChecked(`the window has ${rows.length} rows, too few to page through`);
  return { whole, rows };
};

/** Follows the cursors through the window; returns every page with its answer. */
const walk = async (it: Attempt, window: Input, limit: number): Promise<Exchange[]> => {
  const pages: Exchange[] = [];
  let cursor: string | null = null;
  do {
    const page: Exchange = await ask(it, { ...window, limit, ...(cursor === null ? {} : { cursor }) });
    pages.push(page);
    cursor = cursorOf(page);
  } while (cursor !== null && pages.length < MOST_PAGES);
  if (cursor !== null)
    it.fault(`paging continues after ${pages.length} pages`, pages.at(-1), "next_cursor is null when the window is exhausted");
  return pages;
};

const joined = (paging: Paging): Claim => ({
  group: "invariants",
  title: "joined pages equal the whole window",
  needs: "history",
  why: "joined pages equal one large page: no row twice, none left out",
  check: async (it) => {
    const window = await windowOf(it);
    const { rows } = await askWhole(it, paging, window);
    const limit = Math.ceil(rows.length / PAGES);
    const pages = await walk(it, window, limit);
    const long = pages.find((page) => rowsOf(paging, page).length > limit);
    if (long) it.fault(`a page has more rows than its limit of ${limit}`, long, "a page has at most limit rows");
    const all = pages.flatMap((page) => rowsOf(paging, page));
    const at = all.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(rows[index]));
    if (at === -1 && all.length === rows.length) return;
    const where = at === -1 ? all.length : at;
    const said = `row ${where + 1} of ${all.length} in joined pages is ${String(all[where]?.[paging.at])}, of ${rows.length} in one page ${String(rows[where]?.[paging.at])}`;
    it.fault(said, pages[Math.floor(where / limit)]);
  },
});

const turned = (paging: Paging): Claim => ({
  group: "invariants",
  title: "oldest first is the same list",
  needs: "history",
  why: "with order=asc the joined pages are the rows of one page newest first, turned round",
  check: async (it) => {
    const window = await windowOf(it);
    const { rows } = await askWhole(it, paging, window);
    const pages = await walk(it, { ...window, order: "asc" }, Math.ceil(rows.length / PAGES));
    const all = pages.flatMap((page) => rowsOf(paging, page));
    const at = all.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(rows.at(-1 - index)));
    if (at === -1 && all.length === rows.length) return;
    const said = `row ${at === -1 ? all.length : at + 1} oldest first is not the same counted from the end newest first`;
    it.fault(said, pages.at(-1));
  },
});

/** Changes one character in the middle. */
const tampered = (cursor: string): string => {
  const at = Math.floor(cursor.length / 2);
  return `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`;
};

const otherWindow = (route: Route, window: Input): Input | null => {
  const from = parametersOf(route).find(({ name }) => name === "from");
  return from && typeof window.to === "string" ? { ...window, from: window.to } : null;
};

const bound: Claim = {
  group: "invariants",
  title: "a cursor works only for its own query",
  why: "a cursor that was tampered with, made up, or of another window is refused",
  check: async (it) => {
    const window = await windowOf(it);
    const cursor = cursorOf(await ask(it, { ...window, limit: 1 }));
    if (cursor === null) throw new NotChecked("the window has no second page");
    const refuse = async (why: string, input: Input): Promise<void> => {
      it.expect(await it.ask({ input, priority: PRIORITY.invariant }), { code: "validation_error" }, why);
    };
    await refuse("the cursor was tampered with", { ...window, limit: 1, cursor: tampered(cursor) });
    await refuse("the cursor was made up", { ...window, limit: 1, cursor: "bm9uZQ" });
    const shorter = otherWindow(it.route, window);
    if (shorter) await refuse("the cursor belongs to another window", { ...shorter, limit: 1, cursor });
  },
};

/** The pages of a list of a window; what another list holds is not known. */
export const pageClaims: Family = ({ paging, input }) =>
  "order" in input.shape && paging ? [joined(paging), turned(paging), bound] : [];
