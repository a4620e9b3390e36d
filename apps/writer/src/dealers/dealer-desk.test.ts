/** The dealers' desk over real stores: what it refuses, what it numbers, and what is published after a crash or a takeover. */
import { DAY_MS } from "@assay/contract";
import { claimFence, readDealerChanges, StaleTokenError, type Store, StoreUnavailableError } from "@assay/db";
import { emptyTables, testEngines } from "@assay/db/testing";
import { type Live, type MarketEvent, openMemoryLive, readDealers } from "@assay/live";
import { asProduct, type DealerObservation, EMPTY_FX, fxRate, type ProductQuote, type SourceInfo, withFx } from "@assay/pricing";
import { simulatedDealers, simulatedFx, simulatedPrice } from "@assay/simulator";
import { breakableStore } from "@assay/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { EventQueue } from "../moments/event-queue.ts";
import { DealerDesk, type DealerDeskParts } from "./dealer-desk.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:00Z");
const FX = withFx(EMPTY_FX, simulatedFx(NOW_MS, 1));
const SOURCE: SourceInfo = {
  key: "souk",
  displayName: "Souk",
  license: "attribution",
  role: "informational",
  intervalMs: 60_000,
  freshForMs: 180_000,
  country: "AE",
};

const quote = (sell: string, change: Partial<ProductQuote> = {}): ProductQuote => ({
  ...asProduct({
    source: "souk",
    country: "AE",
    dealer: "Souk",
    product: "24K gram",
    karat: 24,
    weight: "1",
    weightUnit: "gram",
    currency: "AED",
    sell,
    buyback: null,
    observedAtMs: NOW_MS,
  }),
  ...change,
});
const read = (each: ProductQuote): DealerObservation => ({
  kind: "dealer",
  source: each.source,
  quote: each,
  observedAtMs: each.observedAtMs,
});

describe.each(testEngines)("the dealers' desk on $name", (engine) => {
  let opened: Store;
  let live: Live;
  let published: MarketEvent[];
  const refuse = vi.fn();
  const log = { info: () => undefined, warn: vi.fn(), fault: vi.fn(), feed: vi.fn(), archives: vi.fn() };

  beforeAll(async () => {
    opened = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(opened);
    live = openMemoryLive({ clock: () => NOW_MS });
    published = [];
    await live.bus.subscribe((event) => void published.push(event));
    vi.clearAllMocks();
  });
  afterEach(() => live.close());
  afterAll(() => opened.close());

  /** A term of a writer: what it applies, stores and publishes. */
  const term = async (token: number, change: Partial<DealerDeskParts> = {}) => {
    const writer = { token, holder: `writer-${token}`, expiresAtMs: Number.POSITIVE_INFINITY };
    await claimFence(opened, token, writer.holder);
    const eventQueue = new EventQueue(live.bus, log);
    const market = {
      priceOf: () => simulatedPrice("XAU-USD-SPOT", NOW_MS, 1),
      rateOf: (currency: string, atMs: number) => fxRate(FX, currency, atMs),
    };
    const sources = new Map([[SOURCE.key, SOURCE]]);
    const desk = new DealerDesk({
      store: opened,
      live,
      writer,
      eventQueue,
      log,
      sources,
      market,
      simulated: [],
      refuse,
      ...change,
    });
    const flush = async (atMs: number) => {
      await desk.flush(atMs);
      await eventQueue.send();
    };
    return {
      desk,
      flush,
      begin: () => desk.begin(NOW_MS),
      /** One moment: what was read, stored and published. */
      moment: async (atMs: number, ...quotes: ProductQuote[]) => {
        desk.take(quotes.map(read), atMs);
        await flush(atMs);
      },
    };
  };
  const numbers = () =>
    published.flatMap((event) => (event.kind === "dealer-quotes" ? event.quotes.map(({ seq, sell }) => `${seq}: ${sell}`) : []));
  const stored = async () => (await readDealerChanges(opened, 0)).map(({ seq, sell }) => `${seq}: ${sell}`);

  it("accepts what the simulated dealers quote, and refuses the same in another unit or power of ten", async () => {
    const { desk } = await term(1);
    for (const each of simulatedDealers(NOW_MS, 1)) expect(desk.judge(read(each), NOW_MS)).toEqual({ ok: true });
    expect(desk.judge(read(quote("4770")), NOW_MS)).toMatchObject({ ok: false, rule: "unit_slip" });
    expect(desk.judge(read(quote("0.477")), NOW_MS)).toMatchObject({ ok: false, rule: "unit_slip" });
    expect(desk.judge(read(quote("5560")), NOW_MS)).toMatchObject({ ok: false, rule: "unit_slip" });
    expect(desk.judge(read(quote("477", { buyback: "478" })), NOW_MS)).toMatchObject({ ok: false, rule: "crossed" });
  });

  it("checks a quote without a rate for its currency as far as possible", async () => {
    const { desk } = await term(1);
    const vietnam = { country: "VN", currency: "VND" } as const;
    expect(desk.judge(read(quote("15200000", vietnam)), NOW_MS)).toEqual({ ok: true });
    expect(desk.judge(read(quote("-1", vietnam)), NOW_MS)).toMatchObject({ ok: false, rule: "not_positive" });
  });

  it("stores and publishes changes only, and records when each reading was taken", async () => {
    const { begin, moment } = await term(1);
    await begin();
    await moment(NOW_MS + 1_000, quote("477.25"));
    await moment(NOW_MS + 61_000, quote("477.25", { observedAtMs: NOW_MS + 60_000 }));
    expect(numbers()).toEqual(["1: 477.25"]);
    expect(Object.values((await readDealers(live.latest))["AE"] ?? {})).toEqual([
      { fetchedAtMs: NOW_MS + 61_000, observedAtMs: NOW_MS + 60_000, freshUntilMs: NOW_MS + 240_000 },
    ]);
    await moment(NOW_MS + 121_000, quote("478.00", { observedAtMs: NOW_MS + 120_000 }));
    expect(numbers()).toEqual(["1: 477.25", "2: 478.00"]);
    expect(await stored()).toEqual(numbers());
  });

  it("keeps a shop's price fresh while the shop is read, and no longer after that", async () => {
    const sources = new Map([[SOURCE.key, { ...SOURCE, freshForMs: 3 * DAY_MS }]]);
    const { begin, moment } = await term(1, { sources });
    await begin();
    await moment(NOW_MS + DAY_MS, quote("477.25"));
    const [reading] = Object.values((await readDealers(live.latest))["AE"] ?? {});
    expect(reading?.freshUntilMs).toBe(NOW_MS + DAY_MS + 180_000);
  });

  it("continues where another writer ended, and publishes what that one stored and could not publish", async () => {
    const first = await term(1);
    await first.begin();
    await first.moment(NOW_MS + 1_000, quote("477.25"));
    // Killed between the commit and the publication: nothing reaches the bus.
    first.desk.take([read(quote("478.00", { observedAtMs: NOW_MS + 1 }))], NOW_MS + 2_000);
    await first.desk.flush(NOW_MS + 2_000);
    expect(numbers()).toEqual(["1: 477.25"]);

    const second = await term(2);
    second.desk.take([read(quote("478.00", { observedAtMs: NOW_MS + 1 }))], NOW_MS + 3_000);
    await second.begin();
    await second.moment(NOW_MS + 4_000, quote("479.00", { observedAtMs: NOW_MS + 2 }));
    expect(numbers()).toEqual(["1: 477.25", "2: 478.00", "3: 479.00"]);
    expect(await stored()).toEqual(numbers());
  });

  it("is refused once a newer writer has written, and publishes nothing of what was refused", async () => {
    const old = await term(1);
    await old.begin();
    const young = await term(2);
    await young.begin();
    await expect(old.moment(NOW_MS + 1_000, quote("477.25"))).rejects.toThrow(StaleTokenError);
    await young.moment(NOW_MS + 2_000, quote("478.00"));
    expect(numbers()).toEqual(["1: 478.00"]);
  });

  it.each([
    ["never got there", false],
    ["was kept, though the answer was lost", true],
  ])("publishes a change once, under one number, when its write %s", async (_, isKept) => {
    const store = breakableStore(opened);
    const { begin, moment, flush } = await term(1, { store });
    await begin();
    await moment(NOW_MS + 1_000, quote("477.25"));
    store.run = async (work) => {
      if (isKept) await opened.run(work);
      throw new StoreUnavailableError("no answer");
    };
    await moment(NOW_MS + 2_000, quote("478.00", { observedAtMs: NOW_MS + 1 }));
    expect(numbers()).toEqual(["1: 477.25"]);
    store.run = opened.run;
    await flush(NOW_MS + 3_000);
    await flush(NOW_MS + 4_000);
    await moment(NOW_MS + 5_000, quote("479.00", { observedAtMs: NOW_MS + 2 }));
    expect([...new Set(numbers())]).toEqual(["1: 477.25", "2: 478.00", "3: 479.00"]);
    expect(await stored()).toEqual(["1: 477.25", "2: 478.00", "3: 479.00"]);
  });

  it("drops what the store will never accept, and continues with the next reading", async () => {
    const { begin, moment } = await term(1);
    await begin();
    await moment(NOW_MS + 1_000, quote("477.25", { product: "nul \u0000" }));
    expect(log.fault).toHaveBeenCalledOnce();
    await moment(NOW_MS + 2_000, quote("477.25"));
    expect(numbers()).toEqual(["1: 477.25"]);
  });

  it("holds quotes back for spot and rates while a term starts, and applies the gate then", async () => {
    let price: string | null = null;
    const market = { priceOf: () => price, rateOf: (currency: string, atMs: number) => fxRate(FX, currency, atMs) };
    const { begin, moment } = await term(1, { market });
    await begin();
    await moment(NOW_MS + 1_000, quote("4770"), quote("477.25", { id: "right" }));
    expect(numbers()).toEqual([]);
    price = simulatedPrice("XAU-USD-SPOT", NOW_MS, 1);
    await moment(NOW_MS + 2_000);
    expect(numbers()).toEqual(["1: 477.25"]);
    expect(refuse.mock.calls).toEqual([["souk", "unit_slip", expect.stringContaining("times spot")]]);
  });

  it("accepts what cannot be checked in full once the term has started up", async () => {
    const market = { priceOf: () => null, rateOf: () => null };
    const { begin, moment } = await term(1, { market });
    await begin();
    await moment(NOW_MS + 1_000, quote("477.25"));
    expect(numbers()).toEqual([]);
    await moment(NOW_MS + 10_000);
    expect(numbers()).toEqual(["1: 477.25"]);
  });

  it("keeps the whole past of a long outage and publishes the last quote of each country", async () => {
    const { desk, begin, flush } = await term(1);
    for (let step = 0; step < 1_500; step += 1) {
      const observedAtMs = NOW_MS - (1_500 - step) * 1_000;
      desk.take([read(quote(`${470 + (step % 10)}.00`, { observedAtMs }))], observedAtMs);
    }
    await begin();
    await flush(NOW_MS);
    expect((await stored()).length).toBe(1_500);
    expect(numbers()).toEqual(["1000: 479.00", "1500: 479.00"]);
  });

  it("loses nothing newer after dropping an overflow of which a part was stored though the answer was lost", async () => {
    const store = breakableStore(opened);
    const { desk, begin, flush, moment } = await term(1, { store });
    await begin();
    for (let step = 0; step <= 10_000; step += 1)
      desk.take([read(quote(`${470 + (step % 10)}.00`, { observedAtMs: NOW_MS + step }))], NOW_MS + step);
    store.run = async (work) => {
      await opened.run(work);
      throw new StoreUnavailableError("no answer");
    };
    await flush(NOW_MS + 11_000);
    expect((await stored()).length).toBe(1_000);
    store.run = opened.run;
    await moment(NOW_MS + 12_000, quote("485.00", { observedAtMs: NOW_MS + 12_000 }));
    await flush(NOW_MS + 13_000);
    expect((await stored()).at(-1)).toBe("1001: 485.00");
    expect(numbers()).toEqual(["1000: 479.00", "1001: 485.00"]);
  });

  it("drops changes past their time, simulated ones after a day, never a product's newest", async () => {
    const { begin, moment } = await term(1, { simulated: ["simulated-ae"] });
    await begin();
    const madeUp = { source: "simulated-ae", id: "simulated-ae:1" };
    await moment(NOW_MS + 1_000, quote("477.25"), quote("470.00", madeUp));
    await moment(
      NOW_MS + 2_000,
      quote("478.00", { observedAtMs: NOW_MS + 1 }),
      quote("471.00", { ...madeUp, observedAtMs: NOW_MS + 1 }),
    );
    await moment(NOW_MS + 2 * DAY_MS);
    expect(await stored()).toEqual(["1: 477.25", "3: 478.00", "4: 471.00"]);
    await moment(NOW_MS + 401 * DAY_MS);
    expect(await stored()).toEqual(["3: 478.00", "4: 471.00"]);
  });
});
