/** History that can be repeated: known_at on every route that has it, and walks that are one snapshot. */
import { type AssayContract, MINUTE_MS, type OutputOf } from "@assay/contract";
import { makeBar } from "@assay/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { day, referenceOf, TODAY_MS } from "../testing/bars-app.ts";
import {
  at,
  type Bars,
  BEGAN_MS,
  corrected,
  KNOWN_ROUTES,
  type LedgerApp,
  queryOf,
  startLedgerApp,
  WINDOW,
  XAU,
} from "../testing/ledger-app.ts";
import { startTestApp } from "../testing/start-test-app.ts";

let ledger: LedgerApp;
let app: LedgerApp["app"];
beforeEach(async () => {
  ledger = await startLedgerApp();
  ({ app } = ledger);
});
afterEach(() => ledger.close());

type Query = Record<string, string | number>;
const bars = (query: Query = {}, as?: string | null): Promise<Bars> =>
  ledger.get("/v1/bars", { symbol: XAU, ...WINDOW, ...query }, as);
type Series = OutputOf<AssayContract["series"]["list"]>;
const series = (query: Query = {}, as?: string | null): Promise<Series> =>
  ledger.get("/v1/series", { symbol: "XAU-EUR-SPOT", ...WINDOW, ...query }, as);

describe("known_at", () => {
  test("is on every route of stored history", () => {
    expect(KNOWN_ROUTES.map(({ path }) => path).toSorted()).toEqual([
      ...["/v1/bars", "/v1/bars/latest", "/v1/ratios", "/v1/ratios/latest", "/v1/series", "/v1/settlements"],
    ]);
  });

  test.each(KNOWN_ROUTES)("repeats the answer of $path after everything was corrected", async (route) => {
    app.clock.advance(20 * MINUTE_MS);
    const ask = (query: Query = {}) => ledger.get<object>(route.path, { ...queryOf(route), ...query });
    const before = await ask();
    const then = at(app.clock());
    app.clock.advance(MINUTE_MS);
    await ledger.correctAll();
    await expect.poll(() => ask()).not.toEqual(before);
    app.clock.advance(5 * MINUTE_MS);
    // What a cursor is made of is not the same.
    const plain = (answer: object) => ({ ...answer, next_cursor: undefined });
    for (const twice of [1, 2]) expect(plain(await ask({ known_at: then })), String(twice)).toEqual(plain(before));
    const now = at(app.clock());
    expect(plain(await ask({ known_at: now }))).toEqual(plain(await ask()));
  });

  test("repeats a table and a price file too", async () => {
    app.clock.advance(20 * MINUTE_MS);
    const then = at(app.clock());
    const [route, query] = ["/v1/series", { symbol: "XAU-EUR-SPOT", ...WINDOW }];
    const textOf = async (change: Record<string, string>) =>
      (await app.ask(route, { query: { ...query, ...change }, key: ledger.key.key })).text;
    const formats = ["csv", "beancount", "ledger"];
    const before = await Promise.all(formats.map((format) => textOf({ format })));
    for (const text of before) expect(text.trim().split("\n").length).toBeGreaterThanOrEqual(20);
    app.clock.advance(MINUTE_MS);
    await ledger.correctAll();
    expect(await Promise.all(formats.map((format) => textOf({ format, known_at: then })))).toEqual(before);
  });

  test("pages like now, and leaves out the bar that was forming then", async () => {
    await app.publish({ bars: [makeBar({ interval: "1d", barStartMs: TODAY_MS, isClosed: false })] });
    app.clock.advance(20 * MINUTE_MS);
    const then = at(app.clock());
    const whole = await bars({ known_at: then, to: day(0) });
    expect(whole.bars.map(({ is_closed: closed }) => closed)).toEqual(Array(20).fill(true));
    app.clock.advance(MINUTE_MS);
    await ledger.importBars(corrected(5, "1"), corrected(15, "1"));
    const joined: Bars["bars"] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Bars = await bars({ known_at: then, to: day(0), limit: 7, ...(cursor === "" ? {} : { cursor }) });
      joined.push(...page.bars);
      cursor = page.next_cursor;
    }
    expect(joined).toEqual(whole.bars);
  });

  test.each([
    ["before the ledger began", () => at(BEGAN_MS - 1), 400, { error: "unknown_past", ledger_starts_at: at(BEGAN_MS) }],
    ["long before", () => "0000-01-01", 400, { error: "unknown_past" }],
    ["at the first instant there is", () => "0001-01-01T00:00:00+23:59", 400, { error: "unknown_past" }],
    ["in the future", () => at(app.clock() + 1), 422, { issues: [{ path: ["query", "known_at"] }] }],
    ["in the last year there is", () => "9999-12-31T23:59:59.999999Z", 422, { issues: [{ path: ["query", "known_at"] }] }],
    ["today, which is not over", () => day(0), 422, { issues: [{ path: ["query", "known_at"] }] }],
    ["no instant", () => "yesterday", 422, { issues: [{ path: ["query", "known_at"] }] }],
    ["a leap second", () => "2016-12-31T23:59:60Z", 422, { issues: [{ path: ["query", "known_at"] }] }],
    ["a day that does not exist", () => "2026-02-30", 422, { issues: [{ path: ["query", "known_at"] }] }],
    ["empty", () => "", 422, { issues: [{ path: ["query", "known_at"] }] }],
  ] as [string, () => string, number, object][])(
    "that is %s is refused on every route that has it",
    async (_, instant, status, body) => {
      for (const route of KNOWN_ROUTES) {
        const query = { ...queryOf(route), known_at: instant() };
        const answer = await app.ask<object>(route.path, { query, key: ledger.key.key });
        expect([answer.status, answer.json], route.path).toMatchObject([status, body]);
      }
    },
  );

  test("says to a delayed caller that the ledger is younger than the delay", async () => {
    app.clock.advance(MINUTE_MS);
    const answer = await app.ask<object>("/v1/bars", { query: { symbol: XAU, ...WINDOW, known_at: at(app.clock()) } });
    expect([answer.status, answer.json]).toMatchObject([
      400,
      { error: "unknown_past", ledger_starts_at: at(BEGAN_MS), message: expect.stringContaining("15 minutes ago") },
    ]);
  });

  test("shows a delayed caller what was known 15 minutes ago at the latest", async () => {
    app.clock.advance(60 * MINUTE_MS);
    const before = (await bars({}, null)).bars;
    const price = (await series({ known_at: at(app.clock()) }, null)).points[0]?.price;
    await ledger.importBars(corrected(1, "1"));
    app.clock.advance(14 * MINUTE_MS);
    const now = at(app.clock());
    expect((await bars({ known_at: now }, null)).bars).toEqual(before);
    expect((await series({ known_at: now }, null)).points[0]?.price).toBe(price);
    expect((await series({ known_at: now })).points[0]?.price).toBe("0.800000");
    expect((await bars({ known_at: now })).bars[0]?.close).toBe("1.0000");
    app.clock.advance(MINUTE_MS);
    expect((await bars({ known_at: now }, null)).bars[0]?.close).toBe("1.0000");
  });
});

describe("a walk", () => {
  test("through a series is one too, whatever is corrected of its closes and rates", async () => {
    const whole = (await series()).points;
    const knownAt = at(app.clock());
    app.clock.advance(MINUTE_MS);
    const now = at(app.clock());
    for (const query of [{}, { known_at: knownAt }, { known_at: now }]) {
      const first = await series({ ...query, limit: 3 });
      const points = [...first.points];
      let corrections = 5;
      for (let cursor = first.next_cursor; cursor !== null; ) {
        corrections += 1;
        app.clock.advance(1_000);
        if (corrections % 2 === 0) await ledger.importBars(corrected(corrections, String(corrections)));
        else await app.publish({ fx: [referenceOf(corrections, { USD: `2.${corrections}` })] });
        const page: Series = await series({ ...query, limit: 3, cursor });
        points.push(...page.points);
        cursor = page.next_cursor;
      }
      expect(points, JSON.stringify(query)).toEqual("known_at" in query ? (await series(query)).points : whole);
    }
    expect((await series({ known_at: knownAt })).points).toEqual(whole);
    expect((await series()).points).not.toEqual(whole);
  });

  test("oldest first is the same list turned round, and holds nothing that was added while it was walked through", async () => {
    for (const known of [{}, { known_at: at(app.clock()) }]) {
      app.clock.advance(MINUTE_MS);
      for (const route of KNOWN_ROUTES.filter(({ input }) => "order" in input.shape)) {
        type Page = { readonly next_cursor: string | null } & Record<string, unknown>;
        const items = route.paging?.items ?? "";
        const query = { ...queryOf(route), to: day(0), ...known };
        const whole = await ledger.get<Page>(route.path, query);
        const rows: unknown[] = [];
        for (let cursor: string | null = ""; cursor !== null; ) {
          const place: Query = cursor === "" ? {} : { cursor };
          const page: Page = await ledger.get<Page>(route.path, { ...query, order: "asc", limit: 7, ...place });
          rows.push(...[page[items]].flat());
          cursor = page.next_cursor;
        }
        expect(rows, route.path).toEqual([whole[items]].flat().toReversed());
      }
    }
  });

  test("goes on in a process that started since, and knows nothing of what its pages were", async () => {
    type Page = { readonly next_cursor: string | null } & Record<string, unknown>;
    const paged = KNOWN_ROUTES.filter(({ input }) => "cursor" in input.shape);
    const ask = (path: string, query: Query) => ledger.get<Page>(path, query);
    const wholes = await Promise.all(paged.map((route) => ask(route.path, queryOf(route))));
    const firsts = await Promise.all(paged.map((route) => ask(route.path, { ...queryOf(route), limit: 10 })));
    app.clock.advance(MINUTE_MS);
    await ledger.correctAll();
    const other = await startTestApp({ store: app.store, clock: app.clock });
    try {
      for (const [place, route] of paged.entries()) {
        const items = route.paging?.items ?? "";
        const query = { ...queryOf(route), limit: "10", cursor: firsts[place]?.next_cursor ?? "" };
        const rest = await other.ask<Page>(route.path, { query, key: ledger.key.key });
        const joined = [firsts[place]?.[items], rest.json[items]].flat();
        expect(joined, route.path).toEqual(wholes[place]?.[items]);
        expect(await ask(route.path, queryOf(route)), route.path).not.toEqual(wholes[place]);
      }
    } finally {
      await other.close();
    }
  });

  test("belongs to its query: a cursor of another route, series, unit, purity, window or known_at is refused, one of another size is not", async () => {
    const then = at(app.clock());
    app.clock.advance(MINUTE_MS);
    const gold = { symbol: XAU };
    const euros = { symbol: "XAU-EUR-SPOT" };
    const walks: readonly (readonly [path: string, query: Query])[] = [
      ["bars", gold],
      ["bars", { ...gold, order: "asc" }],
      ["bars", { ...gold, known_at: then }],
      ["series", euros],
      ["series", { ...euros, known_at: then }],
      ["ratios", { pair: "gold-silver" }],
    ];
    const others: typeof walks = [
      ["bars", { symbol: "XAG-USD-SPOT" }],
      ["bars", { ...gold, interval: "1h" }],
      ["bars", { ...gold, to: day(2) }],
      ["series", { symbol: "XAU-JPY-SPOT" }],
      ["series", { ...euros, unit: "gram" }],
      ["series", { ...euros, karat: 22 }],
      ["series", { ...euros, from: day(19) }],
      ["ratios", { pair: "gold-platinum" }],
      ["ratios", { pair: "gold-silver", from: day(19) }],
    ];
    for (const walk of walks) {
      const [path, query] = walk;
      const { next_cursor: cursor } = await ledger.get<Bars>(`/v1/${path}`, { ...WINDOW, ...query, limit: 5 });
      for (const other of [...walks, ...others]) {
        const asked = { ...WINDOW, ...other[1], limit: 7, cursor: cursor ?? "" };
        const { status } = await app.ask(`/v1/${other[0]}`, { query: asked, key: ledger.key.key });
        expect(status, `a cursor of ${JSON.stringify(walk)} on ${JSON.stringify(other)}`).toBe(other === walk ? 200 : 422);
      }
    }
  });
});
