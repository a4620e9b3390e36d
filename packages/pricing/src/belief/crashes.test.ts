/** Historical crashes: what two sources report is believed at every moment, and none of it is refused. */
import { DAY_MS, HOUR_MS } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { BeliefRun, sourceOf } from "../testing/belief-run.ts";
import { captured } from "../testing/samples.ts";

const TWO = [sourceOf("a"), sourceOf("b")];

interface Day {
  readonly date: string;
  readonly figures: readonly number[];
}

/** Open, then the further extreme, then the other, then the close: the most volatile path through a day. */
const daysOf = (csv: string): Day[] =>
  csv
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [date = "", ...figures] = line.trim().split(",");
      const [open = 0, high = 0, low = 0, close = 0] = figures.map(Number);
      return { date, figures: close < open ? [open, high, low, close] : [open, low, high, close] };
    });

/** Lets two sources report each day, with `parts` readings between two of its figures, the second source `lagMs` later. */
const play = (run: BeliefRun, days: readonly Day[], parts: number, lagMs: number): { refused: unknown[]; published: number } => {
  const refused: unknown[] = [];
  let published = 0;
  for (const { date, figures } of days) {
    const startMs = Date.parse(`${date}T00:00:00Z`);
    const legs = figures.slice(1);
    legs.forEach((to, leg) => {
      const from = figures[leg] ?? to;
      for (let part = leg === 0 ? 0 : 1; part <= parts; part++) {
        const atMs = startMs + Math.floor(((leg + part / parts) * 23 * HOUR_MS) / legs.length);
        const price = (from + ((to - from) * part) / parts).toFixed(3);
        const heard =
          lagMs === 0
            ? [run.hear({ a: price, b: price }, atMs)]
            : [run.hear({ a: price }, atMs), run.hear({ b: price }, atMs + lagMs)];
        published += 1;
        for (const belief of heard)
          if (belief.verdict !== "confirmed" || belief.refused.length > 0) refused.push({ date, price, belief });
      }
    });
  }
  return { refused, published };
};

/** Hand-made after the worst days: a drop of a tenth within a day, and the next day's gap down. */
const BY_HAND = `Date,Open,High,Low,Close
2026-01-28,5180,5420,5157,5415
2026-01-29,5425,5595,5109,5379
2026-01-30,5379,5451,4690,4848
2026-02-02,4786,4885,4405,4661`;

describe("two sources that report a crash", () => {
  it("are accepted through a fall of a tenth, minute by minute, even if one is two seconds behind", () => {
    const days = daysOf(BY_HAND);
    const run = new BeliefRun(TWO, { anchor: { price: "5180", atMs: Date.parse("2026-01-27T22:00:00Z"), by: [] } });
    expect(play(run, days, 300, 2_000).refused.slice(0, 3)).toEqual([]);
    expect(run.state.withdrawn).toEqual([]);
  });

  it("are accepted through silver's fall of 31 percent in a day, and after it came in one jump", () => {
    const fall: Day = { date: "2026-01-30", figures: [115.5, 118.2, 78.9, 85.2] };
    const anchor = { price: "115.5", atMs: Date.parse("2026-01-29T23:00:00Z"), by: [] };
    const run = new BeliefRun(TWO, { instrument: "XAG-USD-SPOT", anchor });
    expect(play(run, [fall], 200, 2_000).refused.slice(0, 3)).toEqual([]);
    const jump = new BeliefRun(TWO, { instrument: "XAG-USD-SPOT", anchor });
    expect(jump.hear({ a: "79.70", b: "79.65" }, anchor.atMs + HOUR_MS)).toMatchObject({ verdict: "confirmed", refused: [] });
  });

  it("are accepted on every real day of gold since 2000", (test) => {
    const csv = captured("bars-daily/xauusd_d_2000_20260204.csv");
    if (csv === null) return test.skip("no ../shared/data beside the repository");
    const days = daysOf(csv);
    const run = new BeliefRun(TWO);
    const { refused, published } = play(run, days, process.env.TEST_DEPTH === "deep" ? 8 : 2, 0);
    console.info(`days of gold: ${days.length}, prices published by both: ${published}, refused: ${refused.length}`);
    expect(refused.slice(0, 3)).toEqual([]);
    expect(run.state.withdrawn).toEqual([]);
    expect(days.length).toBeGreaterThan(6_000);
  });

  it("are accepted minute by minute through 2020-04 and the days around 2026-01-30, one two seconds behind", (test) => {
    const csv = captured("bars-daily/xauusd_d_2000_20260204.csv");
    if (csv === null) return test.skip("no ../shared/data beside the repository");
    const days = daysOf(csv);
    for (const [month, count] of [
      ["2020-04", 20],
      ["2026-01-2", 6],
      ["2026-01-30", 1],
    ] as const) {
      const chosen = days.filter(({ date }) => date.startsWith(month));
      expect(chosen.length).toBeGreaterThanOrEqual(count);
      const [first] = chosen;
      const atMs = Date.parse(`${first?.date}T00:00:00Z`) - HOUR_MS;
      const run = new BeliefRun(TWO, { anchor: { price: String(first?.figures[0]), atMs, by: [] } });
      expect(play(run, chosen, 300, 2_000).refused.slice(0, 3)).toEqual([]);
    }
  });

  it("are accepted month after month since 1968, with only the month before to compare with", (test) => {
    const csv = captured("gold-monthly/monthly.csv");
    if (csv === null) return test.skip("no ../shared/data beside the repository");
    const months = csv
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(","))
      .filter(([date = ""]) => date >= "1968");
    const run = new BeliefRun(TWO);
    const refused = months.flatMap(([date = "", price = ""]) => {
      const belief = run.hear({ a: price, b: price }, Date.parse(`${date.slice(0, 7)}-15T00:00:00Z`) + DAY_MS);
      return belief.verdict === "confirmed" && belief.refused.length === 0 ? [] : [{ date, price, belief }];
    });
    console.info(`months of gold: ${months.length}, refused: ${refused.length}`);
    expect(refused).toEqual([]);
    expect(months.length).toBeGreaterThan(600);
  });
});
