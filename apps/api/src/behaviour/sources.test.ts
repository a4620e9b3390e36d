/** The record of sources over REST: windows as sums, filters, incidents, CSV and the badge. */
import { DAY_MS, DELAY_MS, MINUTE_MS, startOfUtcDay } from "@assay/contract";
import { noCounts, type SourceCounts, type SourceRecord } from "@assay/pricing";
import { FRIDAY_MS } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const QUARTER_MS = 15 * MINUTE_MS;
/** 13:45, when the clock says 14:00. */
const END_MS = FRIDAY_MS - DELAY_MS;
const TODAY_MS = startOfUtcDay(FRIDAY_MS);

const record = (
  source: string,
  span: SourceRecord["span"],
  startsAtMs: number,
  counts: Partial<SourceCounts>,
  instrument = "XAU-USD-SPOT",
): SourceRecord => ({
  source,
  instrument,
  span,
  startsAtMs,
  document: {
    info: {
      displayName: source.toUpperCase(),
      origin: `${source}-origin`,
      license: "attribution",
      cadenceMs: 10_000,
      role: "primary",
      freshForMs: 30_000,
    },
    counts: { ...noCounts(startsAtMs), ...counts },
  },
});

const full = (untilMs: number, more: Partial<SourceCounts> = {}): Partial<SourceCounts> => ({
  untilMs,
  expected: 90,
  met: 90,
  received: 82,
  accepted: 82,
  deviations: { 12: 60, 30: 21, 150: 1 },
  lastAcceptedAtMs: untilMs - 1_500,
  ...more,
});

const RECORDS = [
  // The newest quarter, the oldest of the window, and one that is just before it.
  record("a", "quarter", END_MS - QUARTER_MS, full(END_MS)),
  record("a", "quarter", END_MS - DAY_MS, full(END_MS - DAY_MS + QUARTER_MS, { met: 80, accepted: 80, refused: { jump: 2 } })),
  record("a", "quarter", END_MS - DAY_MS - QUARTER_MS, full(0, { expected: 1_000 })),
  record("b", "quarter", END_MS - QUARTER_MS, {
    untilMs: END_MS,
    expected: 90,
    incidents: [
      { kind: "refused", fromMs: END_MS - DAY_MS, toMs: END_MS - DAY_MS + 90_500 },
      { kind: "silent", fromMs: END_MS - QUARTER_MS, toMs: null },
    ],
  }),
  record("a", "day", TODAY_MS, full(END_MS, { expected: 5_000, met: 4_999 })),
  record("a", "day", TODAY_MS - 29 * DAY_MS, full(TODAY_MS - 28 * DAY_MS, { expected: 5_000, met: 5_000 })),
  record("a", "day", TODAY_MS - 30 * DAY_MS, full(TODAY_MS - 29 * DAY_MS, { expected: 10_000, met: 10_000 })),
  record("b", "day", TODAY_MS, { untilMs: END_MS }),
  record("b", "day", TODAY_MS, { untilMs: TODAY_MS }, "XAG-USD-SPOT"),
  // No longer configured.
  record("gone", "day", TODAY_MS - 2 * DAY_MS, {
    untilMs: TODAY_MS - DAY_MS,
    expected: 10,
    incidents: [{ kind: "silent", fromMs: TODAY_MS - 2 * DAY_MS, toMs: null }],
  }),
];

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.publish({ records: RECORDS });
});
afterAll(() => app.close());

const rowsOf = async (query = "") => (await app.ask(`/v1/sources${query}`)).json.sources;
const named = (rows: { source: string; instrument: string }[]) => rows.map(({ source, instrument }) => `${source} ${instrument}`);

describe("the record of sources", () => {
  test("sums the quarters of the last 24 hours, and lists sources of which nothing was counted", async () => {
    const { json } = await app.ask("/v1/sources");
    expect([json.window, json.from, json.to]).toEqual(["24h", "2026-11-19T13:45:00Z", "2026-11-20T13:45:00Z"]);
    expect(json.sources).toHaveLength(3);
    expect(json.sources[0]).toEqual({
      source: "a",
      display_name: "A",
      origin: "a-origin",
      license: "attribution",
      instrument: "XAU-USD-SPOT",
      cadence_seconds: 10,
      role: "primary",
      fresh_for_seconds: 30,
      expected: 180,
      received: 164,
      accepted: 162,
      refused: { jump: 2 },
      availability: 0.9444,
      deviation_bps: { median: 1.2, p99: 15 },
      last_accepted_at: "2026-11-20T13:44:58Z",
      incidents: [],
    });
    expect(json.sources[1]).toMatchObject({
      source: "b",
      instrument: "XAG-USD-SPOT",
      expected: 0,
      received: 0,
      availability: null,
      deviation_bps: { median: null, p99: null },
      last_accepted_at: null,
    });
  });

  test("has the newest incidents first, one that lasts without an end", async () => {
    const [silver, gold] = await rowsOf("?source=b");
    expect(silver.incidents).toEqual([]);
    expect(gold).toMatchObject({ expected: 90, availability: 0 });
    expect(gold.incidents).toEqual([
      { from: "2026-11-20T13:30:00Z", to: null, kind: "silent" },
      { from: "2026-11-19T13:45:00Z", to: "2026-11-19T13:46:30Z", kind: "refused" },
    ]);
  });

  test("sums 30 UTC days with today, and 365, and cuts availability rather than rounding it to 1", async () => {
    const [month] = await rowsOf("?window=30d");
    expect(month).toMatchObject({ source: "a", expected: 10_000, availability: 0.9999 });
    const [year] = await rowsOf("?window=1y");
    expect(year).toMatchObject({ expected: 20_000, availability: 0.9999 });
    expect((await app.ask("/v1/sources?window=30d")).json.from).toBe("2026-10-22T00:00:00Z");
  });

  test("ends the incident of a source that is no longer watched with its record", async () => {
    const gone = (await rowsOf("?window=30d&source=gone"))[0];
    expect(gone.incidents).toEqual([{ from: "2026-11-18T00:00:00Z", to: "2026-11-19T00:00:00Z", kind: "silent" }]);
    expect(named(await rowsOf())).not.toContain("gone XAU-USD-SPOT");
  });

  test.each([
    ["?symbol=xau/usd", ["a XAU-USD-SPOT", "b XAU-USD-SPOT"]],
    ["?symbol=XAG-USD-SPOT", ["b XAG-USD-SPOT"]],
    ["?symbol=XAU&source=b", ["b XAU-USD-SPOT"]],
    ["?symbol=GC", []],
    ["?source=nobody", []],
  ])("answers %s with those alone", async (query, expected) => {
    expect(named(await rowsOf(query))).toEqual(expected);
  });

  test("names a symbol that it does not have when it refuses it", async () => {
    const { status, json } = await app.ask("/v1/sources?symbol=unobtainium");
    expect([status, json.issues?.[0].path]).toEqual([422, ["query", "symbol"]]);
  });

  test("is CSV on request, with a column for each figure", async () => {
    const { text, headers } = await app.ask("/v1/sources?format=csv&source=a");
    expect(headers.get("content-type")).toContain("text/csv");
    const [head, row] = text.split("\r\n");
    expect(head).toBe(
      "source,display_name,origin,license,instrument,cadence_seconds,expected,received,accepted,refused,availability,deviation_bps.median,deviation_bps.p99,last_accepted_at,incidents,role,fresh_for_seconds",
    );
    expect(row).toBe(
      'a,A,a-origin,attribution,XAU-USD-SPOT,10,180,164,162,"{""jump"":2}",0.9444,1.2,15,2026-11-20T13:44:58Z,[],primary,30',
    );
  });

  test("is refused with 503 while the database does not answer, and read again after it", async () => {
    app.clock.advance(QUARTER_MS);
    app.store.break();
    expect((await app.ask("/v1/sources")).status).toBe(503);
    app.store.recover();
    expect(await rowsOf()).toHaveLength(3);
    app.clock.set(FRIDAY_MS);
  });

  test("says nothing of the last fifteen minutes, whenever it is asked", async () => {
    for (let step = 0; step < 30; step += 1) {
      app.clock.set(FRIDAY_MS + step * 61_013);
      const { json } = await app.ask("/v1/sources");
      expect(app.clock() - Date.parse(json.to)).toBeGreaterThanOrEqual(DELAY_MS);
      expect(app.clock() - Date.parse(json.to)).toBeLessThan(DELAY_MS + QUARTER_MS);
    }
    app.clock.set(FRIDAY_MS);
  });
});

describe("the badge of the sources", () => {
  test("shows how many there are, and the share of expected slots that were met", async () => {
    const { text, headers } = await app.ask("/badge/sources.svg");
    expect(headers.get("content-type")).toContain("image/svg+xml");
    expect(text).toContain('aria-label="2 sources, 24 h: 62.96 % available"');
    const again = await app.ask("/badge/sources.svg", { headers: { "If-None-Match": headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });

  test("says that nothing was counted yet", async () => {
    const empty = await startTestApp();
    expect((await empty.ask("/badge/sources.svg")).text).toContain('aria-label="0 sources, 24 h: nothing counted yet"');
    expect((await empty.ask("/v1/sources")).json.sources).toEqual([]);
    await empty.close();
  });
});
