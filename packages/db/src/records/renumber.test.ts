/** Numbering after a restore, on every engine. */
import { HOUR_MS } from "@assay/contract";
import { unknownBelief } from "@assay/pricing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readAlert } from "../alerts/alerts.ts";
import { readAlertCursors, readFiringsOn, writeAlertJudgement } from "../alerts/judgement.ts";
import { StaleTokenError } from "../errors.ts";
import { readNewestDealerQuotes, writeDealerQuotes } from "../market/dealer-quotes.ts";
import { writeMoment } from "../market/moment.ts";
import { readBeliefs, readLastSeqs, readTicksSince } from "../market/ticks.ts";
import type { Store } from "../store.ts";
import { putAlert } from "../testing/alert-rows.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { dealerTick, NOON_MS, tick } from "../testing/rows.ts";
import { renumber } from "./renumber.ts";

const WRITER = { token: 7, holder: "writer" };

describe.each(testEngines)("numbers after a restore on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
  });
  afterAll(() => store.close());

  test("are above all that were given out since the backup, in their old order, with nothing else changed", async () => {
    const ticks = [tick(5, { computedAtMs: NOON_MS - 1_000 }), tick(6), tick(4_000, { instrument: "GLD" })];
    const quote = dealerTick(90);
    await writeMoment(store, WRITER, { ticks, bars: [], fx: [] });
    await writeDealerQuotes(store, WRITER, [quote]);
    const shift = (await renumber(store, NOON_MS + HOUR_MS)) ?? 0;
    // A number every millisecond of an hour is more than any series gives out.
    expect(shift).toBeGreaterThan(HOUR_MS);
    expect(await readLastSeqs(store)).toEqual(
      new Map([
        [ticks[0]?.instrument, 6 + shift],
        ["GLD", 4_000 + shift],
      ]),
    );
    const shifted = ticks.map((each) => ({ ...each, seq: each.seq + shift }));
    expect((await readTicksSince(store, 0)).toSorted((a, b) => a.seq - b.seq)).toEqual(shifted);
    expect(await readNewestDealerQuotes(store)).toEqual([{ ...quote, seq: quote.seq + shift }]);
  });

  test("keep hidden ticks hidden", async () => {
    const bars = [{ symbol: "XAU-USD-SPOT" }];
    const belief = {
      ...unknownBelief("XAU-USD-SPOT"),
      hidden: true,
      probation: { fromSeq: 6, fromMs: NOON_MS, by: ["a"], untilMs: null, bars },
      withdrawn: [{ fromSeq: 2, toSeq: 3, atMs: NOON_MS }],
    };
    // Its bars are not looked at here.
    const beliefs = [belief as never];
    await writeMoment(store, WRITER, { ticks: [tick(6)], bars: [], fx: [], beliefs });
    const shift = (await renumber(store, NOON_MS)) ?? 0;
    expect(await readBeliefs(store)).toEqual(
      new Map([
        [
          "XAU-USD-SPOT",
          {
            ...belief,
            probation: { ...belief.probation, fromSeq: 6 + shift },
            withdrawn: [{ fromSeq: 2 + shift, toSeq: 3 + shift, atMs: NOON_MS }],
          },
        ],
      ]),
    );
  });

  test("are those of what alerts were judged on: nothing is judged again, and what fired can still be taken back", async () => {
    const endpoint = { id: "ep", orgId: "org" };
    const window = { lows: [[1, "4000.10"]], highs: [[2, "4000.123456789012345678"]] };
    const before = { fromSeq: 5, state: "waiting", hasFired: false, window };
    const plain = await putAlert(store, { id: "plain", seenSeq: 6 }, endpoint);
    const moved = await putAlert(store, { id: "moved", memory: JSON.stringify({ window, before }) }, endpoint);
    const cursor = { instrument: "XAU-USD-SPOT", view: "live", seq: 6, atMs: NOON_MS, revision: moved.revision } as const;
    const event = { id: "d1", alertId: "plain", type: "price.above", seq: 6, payload: "{}" } as const;
    await writeMoment(store, WRITER, { ticks: [tick(6)], bars: [], fx: [] });
    await writeAlertJudgement(store, WRITER, {
      standings: [{ ...plain, firedAtMs: NOON_MS }],
      cursors: [cursor],
      events: [event],
      atMs: NOON_MS,
    });
    const shift = (await renumber(store, NOON_MS)) ?? 0;
    expect((await readAlert(store, "org", "plain"))?.seenSeq).toBe(6 + shift);
    const memory = (await readAlert(store, "org", "moved"))?.memory ?? "";
    expect(JSON.parse(memory)).toEqual({ window, before: { ...before, fromSeq: 5 + shift } });
    expect(await readAlertCursors(store)).toEqual([{ ...cursor, seq: 6 + shift }]);
    const fired = await readFiringsOn(store, { symbols: ["XAU-USD-SPOT"], fromSeq: 6 + shift, toSeq: 6 + shift });
    expect(fired.map(({ id }) => id)).toEqual(["d1"]);
  });

  test("are not shifted where there are none", async () => {
    expect(await renumber(store, NOON_MS)).toBeNull();
  });

  test("cannot be shifted while a writer runs", async () => {
    await writeMoment(store, WRITER, { ticks: [tick(1)], bars: [], fx: [] });
    await renumber(store, NOON_MS);
    await expect(writeMoment(store, WRITER, { ticks: [tick(2)], bars: [], fx: [] })).rejects.toThrow(StaleTokenError);
  });
});
