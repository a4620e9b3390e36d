/** Paged lists: the pages joined are the whole window, newest first, and a cursor works only for its own query. */
import type { Paging, Route } from "@assay/contract";
import { parametersOf } from "@assay/testkit/wire";
import { expectAnswer } from "../expectation.ts";
import { dateKindOf, daysAgo, edgeOf, REACH_DAYS } from "../inputs/dates.ts";
import type { Input } from "../inputs/sample.ts";
import type { Tell } from "../report/recorder.ts";
import type { RouteTrial } from "../route-trial.ts";
import { serviceNowMs } from "../run-context.ts";
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";

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

const tooFew = (rows: readonly Row[]): NotChecked =>
  new NotChecked(`the window has ${rows.length} rows, too few to page through`);

/** A window that ended before today, so that all of it is final. */
const windowOf = (trial: RouteTrial): Input => {
  const nowMs = serviceNowMs(trial.run);
  const edges = parametersOf(trial.route).flatMap((parameter) => {
    const edge = edgeOf(parameter.name);
    const kind = dateKindOf(parameter);
    return edge && kind ? [[edge, daysAgo(kind, edge === "from" ? REACH_DAYS : 1, nowMs)] as const] : [];
  });
  return { ...trial.sample(), ...Object.fromEntries(edges) };
};

const ask = async (tell: Tell, trial: RouteTrial, input: Input): Promise<Exchange> => {
  const exchange = await trial.ask({ input, priority: PRIORITY.invariant });
  if (!expectAnswer(tell, trial.route, exchange, "success", "a window within every tier's depth")) {
    throw new NotChecked("the window was not answered");
  }
  return exchange;
};

/** Follows the cursors through the window; returns every page with its answer. */
const walk = async (tell: Tell, trial: RouteTrial, window: Input, limit: number): Promise<Exchange[]> => {
  const pages: Exchange[] = [];
  let cursor: string | null = null;
  do {
    const page: Exchange = await ask(tell, trial, { ...window, limit, ...(cursor === null ? {} : { cursor }) });
    pages.push(page);
    cursor = cursorOf(page);
  } while (cursor !== null && pages.length < MOST_PAGES);
  if (cursor !== null)
    tell(`paging continues after ${pages.length} pages`, "next_cursor is null when the window is exhausted", pages.at(-1));
  return pages;
};

const checkJoined = (trial: RouteTrial, paging: Paging, window: Input): Promise<void> =>
  trial.check("invariants", "joined pages equal the whole window", async (tell) => {
    const whole = await ask(tell, trial, { ...window, limit: WHOLE });
    const rows = rowsOf(paging, whole);
    if (rows.length < PAGES) throw tooFew(rows);
    const limit = Math.ceil(rows.length / PAGES);
    const pages = await walk(tell, trial, window, limit);
    const long = pages.find((page) => rowsOf(paging, page).length > limit);
    if (long) tell(`a page has more rows than its limit of ${limit}`, "a page has at most limit rows", long);
    const joined = pages.flatMap((page) => rowsOf(paging, page));
    const at = joined.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(rows[index]));
    if (at !== -1 || joined.length !== rows.length) {
      const where = at === -1 ? joined.length : at;
      const said = `row ${where + 1} of ${joined.length} in joined pages is ${String(joined[where]?.[paging.at])}, of ${rows.length} in one page ${String(rows[where]?.[paging.at])}`;
      tell(said, "joined pages equal one large page: no row twice, none left out", pages[Math.floor(where / limit)]);
    }
  });

const checkOrder = (trial: RouteTrial, paging: Paging, window: Input): Promise<void> =>
  trial.check("invariants", "newest first, no row twice", async (tell) => {
    const whole = await ask(tell, trial, { ...window, limit: WHOLE });
    const rows = rowsOf(paging, whole);
    if (rows.length < PAGES) throw tooFew(rows);
    const moments = rows.map((row) => Date.parse(String(row[paging.at])));
    const at = moments.findIndex((moment, index) => index > 0 && !(moment < (moments[index - 1] ?? 0)));
    if (at !== -1) tell(`row ${at + 1} is not older than the one before it`, `rows are newest first by ${paging.at}`, whole);
  });

/** Changes one character in the middle. */
const tampered = (cursor: string): string => {
  const at = Math.floor(cursor.length / 2);
  return `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`;
};

const checkCursor = (trial: RouteTrial, window: Input): Promise<void> =>
  trial.check("invariants", "a cursor works only for its own query", async (tell) => {
    const cursor = cursorOf(await ask(tell, trial, { ...window, limit: 1 }));
    if (cursor === null) throw new NotChecked("the window has no second page");
    const refuse = async (what: string, input: Input): Promise<void> => {
      const exchange = await trial.ask({ input, priority: PRIORITY.invariant });
      expectAnswer(tell, trial.route, exchange, { code: "validation_error" }, what);
    };
    await refuse("the cursor was tampered with", { ...window, limit: 1, cursor: tampered(cursor) });
    await refuse("the cursor was made up", { ...window, limit: 1, cursor: "bm9uZQ" });
    const shorter = otherWindow(trial.route, window);
    if (shorter) await refuse("the cursor belongs to another window", { ...shorter, limit: 1, cursor });
  });

const otherWindow = (route: Route, window: Input): Input | null => {
  const from = parametersOf(route).find(({ name }) => name === "from");
  return from && typeof window.to === "string" ? { ...window, from: window.to } : null;
};

/** Checks the pages of a list. */
export const checkPages = async (trial: RouteTrial): Promise<void> => {
  const { paging } = trial.route;
  if (!paging) return;
  const window = windowOf(trial);
  await checkJoined(trial, paging, window);
  await checkOrder(trial, paging, window);
  await checkCursor(trial, window);
};
