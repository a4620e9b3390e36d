/** Random faults over time: a minority of the witnesses is wrong, in any way and order, and no wrong figure is ever shown. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { BeliefRun, FRESH_MS, sourceOf } from "../testing/belief-run.ts";
import { isSamePrice } from "./band.ts";

const START = Date.UTC(2026, 10, 16, 14);
const PRIMARIES = ["p0", "p1", "p2", "p3", "p4"] as const;

/** How a faulty source changes the true price, in cents. */
const FAULTS: readonly ((cents: number, first: number, random: number) => number | null)[] = [
  (cents) => cents * 10,
  (cents) => Math.round(cents / 10),
  (cents) => Math.round(cents * 32.1507),
  (cents) => Math.round(cents * 1.09),
  (cents) => Math.round(cents * 0.8),
  (_cents, first) => first,
  (_cents, _first, random) => Math.round(random * 4_900_000) + 20_001,
  () => null,
];

const step = fc.record({
  seconds: fc.integer({ min: 1, max: 25 }),
  /** The market's move, in basis points; occasionally a gap. */
  move: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: -30, max: 30 }) },
    { weight: 1, arbitrary: fc.integer({ min: -600, max: 600 }) },
  ),
  /** The kind of fault. */
  faults: fc.array(fc.nat(FAULTS.length - 1), { minLength: 2, maxLength: 2 }),
  /** Honest sources differ by some basis points. */
  noise: fc.array(fc.integer({ min: -15, max: 15 }), { minLength: 5, maxLength: 5 }),
  order: fc.shuffledSubarray([...PRIMARIES], { minLength: 5, maxLength: 5 }),
  random: fc.double({ min: 0, max: 1, noNaN: true }),
  restarts: fc.boolean(),
});

const scenario = fc.record({
  count: fc.integer({ min: 3, max: 5 }),
  faulty: fc.shuffledSubarray([0, 1, 2, 3, 4]),
  hasCouncil: fc.boolean(),
  steps: fc.array(step, { minLength: 3, maxLength: 40 }),
});

const text = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

it("shows no wrong figure while the faulty sources are the minority, and always the right one in the end", () => {
  let faults = 0;
  let verdicts = 0;
  let shown = 0;
  fc.assert(
    fc.property(scenario, ({ count, faulty, hasCouncil, steps }) => {
      const liars = new Set(
        faulty
          .filter((index) => index < count)
          .slice(0, Math.floor((count - 1) / 2))
          .map((index) => PRIMARIES[index]),
      );
      const run = new BeliefRun([...PRIMARIES.slice(0, count).map((key) => sourceOf(key)), sourceOf("lender", "council")]);
      let nowMs = START;
      let cents = 439_200;
      const truths: { atMs: number; cents: number }[] = [{ atMs: nowMs, cents }];
      const look = (what: string): void => {
        verdicts += 1;
        const { published } = run;
        if (!published) return;
        shown += 1;
        const near = truths.filter(({ atMs }) => atMs >= published.atMs - FRESH_MS);
        // Honest sources are up to 15 bps from the truth.
        expect(
          near.some((truth) => isSamePrice(published.price, text(truth.cents), 520)),
          `${what}: ${published.price}`,
        ).toBe(true);
      };
      let councilCents: number | null = null;
      const lies = new Map<string, number>();
      const closing = steps.slice(-2).map((last) => ({ ...last, seconds: 5, move: 0, random: 0.15 }));
      for (const { seconds, move, faults: kinds, noise, order, random, restarts } of [...steps, ...closing]) {
        nowMs += seconds * 1_000;
        cents = Math.max(30_000, Math.round(cents * (1 + move / 10_000)));
        truths.push({ atMs: nowMs, cents });
        if (restarts && random < 0.1) run.restart();
        if (hasCouncil && random < 0.2) {
          councilCents = cents;
          look(run.hear({ lender: text(cents) }, nowMs).verdict);
        }
        for (const key of order.filter((each) => PRIMARIES.indexOf(each) < count)) {
          const index = PRIMARIES.indexOf(key);
          const isLying = liars.has(key);
          const fault = FAULTS[kinds[index % 2] ?? 0];
          const figure =
            isLying && fault ? fault(cents, 439_200, random) : Math.round(cents * (1 + (noise[index] ?? 0) / 10_000));
          if (isLying) faults += 1;
          if (figure === null) continue;
          if (isLying) lies.set(key, figure);
          look(`${run.hear({ [key]: text(figure) }, nowMs).verdict} after ${key}`);
        }
        // Everybody has reported: the right ones are a majority, unless a gap has made the council's rate wrong as well. Honest
        // sources beyond the true price may be out of its band before the true price is.
        if (councilCents !== null && !isSamePrice(text(councilCents), text(cents), 480)) continue;
        // Nor after a gap hidden by a fault: the gap made the past wrong, and the faulty source agrees with that past by chance.
        const { anchor } = run.state;
        const isPastWrong = anchor !== null && !isSamePrice(anchor.price, text(cents), 480);
        if (isPastWrong && [...lies.values()].some((lie) => isSamePrice(anchor.price, text(lie), 520))) continue;
        expect(run.published, JSON.stringify(run.state)).not.toBeNull();
        expect(isSamePrice(run.published?.price ?? "0", text(cents), 520)).toBe(true);
      }
    }),
    { numRuns: process.env.TEST_DEPTH === "deep" ? 1_500 : 300 },
  );
  console.info(`random faults tried: ${faults}, verdicts: ${verdicts}, prices looked at: ${shown}, wrong figures shown: 0`);
  expect(faults).toBeGreaterThan(1_000);
});
