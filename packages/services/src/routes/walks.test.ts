/** Walks through pages of bars, ratios and series, both ways, while history is corrected: each is the list as its first page found it. */
import { bodyText, DAY_MS, Encoded, type PageOrder, TIER_REACH } from "@assay/contract";
import { replaceBars, type Store, upsertBars, writeMoment } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import type { BarRow, FxObservation } from "@assay/pricing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MarketView } from "../market/market-view.ts";
import { closedBar } from "../testing/closed-bar.ts";
import { verbContext } from "../testing/verb-context.ts";
import { listBars } from "./bars.ts";
import { listRatios } from "./ratios.ts";
import { listSeries } from "./series.ts";

const TODAY_MS = Date.UTC(2026, 10, 20);
const NOW_MS = TODAY_MS + 14 * 3_600_000;
const DAYS = 16;
const WRITER = { token: 1, holder: "writer" };
const GOLD = "XAU-USD-SPOT";
const SILVER = "XAG-USD-SPOT";
const WINDOW = { from: "2026-10-01", to: "2026-11-19" };

let store: Store;
beforeAll(async () => {
  store = await openTestStore(() => NOW_MS);
});
afterAll(() => store.close());

const startOf = (back: number): number => TODAY_MS - back * DAY_MS;
const barOf = (symbol: typeof GOLD | typeof SILVER, back: number, figure: number): BarRow =>
  // Of a publisher's: a moment never replaces closed bars by what ticks made.
  closedBar(symbol, "1d", startOf(back), { close: `${4_000 + figure}`, high: "9999", low: "1", sourceId: "publisher" });
const ratesOf = (back: number, figure: number): FxObservation => ({
  ...({ kind: "fx", source: "ecb", role: "reference", base: "EUR", freshForMs: DAY_MS } as const),
  rates: { USD: `1.${figure}` },
  observedAtMs: startOf(back),
});

/** What happens between two pages, to the day so many days ago. */
interface Happening {
  readonly kind: "import gold" | "import silver" | "moment" | "rates" | "hear" | "restart" | "bars" | "ratios" | "series";
  readonly back: number;
  readonly figure: number;
}

const happenings = fc.array(
  fc.record<Happening>({
    kind: fc.constantFrom("import gold", "import silver", "moment", "rates", "hear", "restart", "bars", "ratios", "series"),
    back: fc.integer({ min: 1, max: DAYS }),
    figure: fc.integer({ min: 10, max: 99 }),
  }),
  { minLength: 4, maxLength: 24 },
);

type Kind = "bars" | "ratios" | "series";

interface Walk {
  readonly kind: Kind;
  readonly order: PageOrder;
  readonly whole: readonly unknown[];
  readonly rows: unknown[];
  next: string | null;
}

interface Page {
  readonly rows: readonly unknown[];
  readonly next: string | null;
}

const openProcess = async () => {
  const market = new MarketView({ store, keepsHours: true });
  await market.load(NOW_MS);
  const verbs = {
    bars: listBars({ market, store }, "secret"),
    ratios: listRatios({ market, store }, "secret"),
    series: listSeries({ market, store }, "secret"),
  };
  const context = verbContext(NOW_MS);
  const caller = { ...context.caller, reach: TIER_REACH.pro };
  const pageOf = async (kind: Kind, order: PageOrder, limit: number, cursor: string | null): Promise<Page> => {
    const paging = { ...WINDOW, order, limit, ...(cursor === null ? {} : { cursor }) };
    const answer = await {
      bars: () => verbs.bars({ symbol: GOLD, interval: "1d", ...paging }, { ...context, caller }),
      ratios: () => verbs.ratios({ pair: "gold-silver", ...paging }, { ...context, caller }),
      series: () => verbs.series({ symbol: "XAU-EUR-SPOT", unit: "gram", ...paging }, { ...context, caller }),
    }[kind]();
    if (!(answer instanceof Encoded)) throw new Error("lists are encoded");
    const page = JSON.parse(bodyText(answer.body)) as Record<string, unknown>; // a page of the route
    return { rows: (page.bars ?? page.points) as unknown[], next: page.next_cursor as string | null }; // as above
  };
  return { market, pageOf };
};

test("is the list as its first page found it, whoever corrects it, when it is heard of, and whichever process answers", async () => {
  const property = fc.asyncProperty(happenings, async (all) => {
    const days = Array.from({ length: DAYS + 4 }, (_, index) => index + 1);
    const first = [...days.map((back) => barOf(GOLD, back, back)), ...days.map((back) => barOf(SILVER, back, back))];
    await upsertBars(store, first);
    await writeMoment(store, WRITER, { ticks: [], bars: [], fx: days.map((back) => ratesOf(back, 10 + back)) });
    let running = await openProcess();
    let unheard: (() => void | Promise<void>)[] = [];
    const hear = async (): Promise<void> => {
      for (const event of unheard.splice(0)) await event();
    };
    const walks: Walk[] = [];
    const step = async (walk: Walk): Promise<void> => {
      if (walk.next === null) return;
      const page = await running.pageOf(walk.kind, walk.order, 3, walk.next);
      walk.rows.push(...page.rows);
      walk.next = page.next;
    };
    for (const { kind, back, figure } of all) {
      switch (kind) {
        case "bars":
        case "ratios":
        case "series": {
          const { rows: newestFirst } = await running.pageOf(kind, "desc", 1_000, null);
          for (const order of ["desc", "asc"] as const) {
            const whole = order === "desc" ? newestFirst : newestFirst.toReversed();
            const { rows, next } = await running.pageOf(kind, order, 3, null);
            walks.push({ kind, order, whole, rows: [...rows], next });
          }
          break;
        }
        case "import gold":
        case "import silver": {
          const symbol = kind === "import gold" ? GOLD : SILVER;
          await upsertBars(store, [barOf(symbol, back, figure)]);
          unheard.push(() => running.market.reload(symbol, NOW_MS));
          break;
        }
        case "moment":
        case "rates": {
          const moment =
            kind === "rates" ? { bars: [], fx: [ratesOf(back, figure)] } : { bars: [barOf(GOLD, back, figure)], fx: [] };
          const revision = await writeMoment(store, WRITER, { ticks: [], ...moment });
          unheard.push(() => running.market.apply({ kind: "moment", token: 1, atMs: NOW_MS, ticks: [], ...moment, revision }));
          break;
        }
        case "restart":
          running = await openProcess();
          unheard = [];
          break;
        case "hear":
          await hear();
      }
      for (const walk of walks) await step(walk);
    }
    for (const walk of walks) {
      while (walk.next !== null) await step(walk);
      expect(walk.rows, `${walk.kind} ${walk.order}`).toEqual(walk.whole);
      expect(walk.rows.length).toBeGreaterThanOrEqual(DAYS);
    }
  });
  await fc.assert(property, { numRuns: process.env.TEST_DEPTH === "deep" ? 150 : 12 });
}, 600_000);

test("oldest first leaves out the days that came while it was walked through", async () => {
  const backs = [4, 3, 2];
  const late = { interval: "1d" as const, barStartMs: startOf(1) };
  for (const symbol of [GOLD, SILVER]) await replaceBars(store, symbol, [late], []);
  const both = (back: number): BarRow[] => [barOf(GOLD, back, back), barOf(SILVER, back, back)];
  await upsertBars(store, backs.flatMap(both));
  const { market, pageOf } = await openProcess();
  const kinds = ["bars", "ratios", "series"] as const;
  const begun = await Promise.all(kinds.map((kind) => pageOf(kind, "asc", 15, null)));
  const moment = { ticks: [], bars: both(1), fx: [] };
  const revision = await writeMoment(store, WRITER, moment);
  market.apply({ kind: "moment", token: 1, atMs: NOW_MS, ...moment, revision });
  for (const [place, kind] of kinds.entries()) {
    const rest = await pageOf(kind, "asc", 15, begun[place]?.next ?? null);
    expect(rest.next, kind).toBeNull();
    expect(JSON.stringify(rest.rows.at(-1)), kind).toContain("2026-11-18");
    expect(JSON.stringify((await pageOf(kind, "desc", 1, null)).rows), kind).toContain("2026-11-19");
  }
});
