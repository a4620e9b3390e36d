import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "../number/exact.ts";
import { arbitrageSignals } from "./arbitrage.ts";
import { bookFromBids, type DigitalMarket, feesOf, kalshiFees, polymarketFees, type YesBook } from "./digital-market.ts";

const NOW = Date.UTC(2026, 10, 20, 15);
const EXPIRY = Date.UTC(2026, 11, 31, 22);
const level = (price: string, size: string) => ({ price, size });

const market = (venue: string, strike: string, book: YesBook, rest: Partial<DigitalMarket> = {}): DigitalMarket => ({
  venue,
  marketId: `${venue}-${strike}`,
  metal: "xau",
  kind: "terminal",
  strike,
  expiresAtMs: EXPIRY,
  reference: "pyth:XAU/USD",
  book,
  feeModel: venue,
  volumeUsd: null,
  retrievedAtMs: NOW,
  ...rest,
});
const book = (bid: string, ask: string, size = "100"): YesBook => ({ bids: [level(bid, size)], asks: [level(ask, size)] });

const cheap = market("kalshi", "4300", book("0.38", "0.40", "300"));
const dear = market("polymarket", "4300", book("0.50", "0.52", "120"));

describe("fees", () => {
  it("are rounded up to a hundredth of a cent at Kalshi", () => {
    expect(kalshiFees().feeUsd(new Decimal(100), new Decimal("0.5")).toFixed()).toBe("1.75");
    expect(kalshiFees().feeUsd(new Decimal(1), new Decimal("0.01")).toFixed()).toBe("0.0007");
    expect(kalshiFees().feeUsd(new Decimal(1), new Decimal("0.03")).toFixed()).toBe("0.0021");
    expect(kalshiFees().feeUsd(new Decimal(1), new Decimal("0.015")).toFixed()).toBe("0.0011");
  });

  it("are rounded down to five decimals at Polymarket", () => {
    expect(polymarketFees().feeUsd(new Decimal(100), new Decimal("0.5")).toFixed()).toBe("1");
    expect(polymarketFees().feeUsd(new Decimal("1.1"), new Decimal("0.013")).toFixed()).toBe("0.00056");
    expect(polymarketFees(new Decimal("0.25"), 2).feeUsd(new Decimal(100), new Decimal("0.5")).toFixed()).toBe("1.5625");
  });
});

describe("fees of a market", () => {
  const hundred = new Decimal(100);
  const half = new Decimal("0.5");

  it("are its model's with its own rate, exponent and smallest order", () => {
    expect(feesOf({ feeModel: "polymarket" })?.feeUsd(hundred, half).toFixed()).toBe("1");
    const own = feesOf({ feeModel: "polymarket", feeTerms: { rate: "0.25", exponent: 2, leastContracts: "15" } });
    expect(own?.feeUsd(hundred, half).toFixed()).toBe("1.5625");
    expect(own?.leastContracts.toFixed()).toBe("15");
    expect(
      feesOf({ feeModel: "kalshi", feeTerms: { rate: "0.035" } })
        ?.feeUsd(hundred, half)
        .toFixed(),
    ).toBe("0.875");
    expect(
      feesOf({ feeModel: "polymarket", feeTerms: { rate: "0" } })
        ?.feeUsd(hundred, half)
        .toFixed(),
    ).toBe("0");
  });

  it("are unknown where the model is", () => {
    expect(feesOf({ feeModel: "elsewhere", feeTerms: { rate: "0" } })).toBeNull();
  });
});

describe("bookFromBids", () => {
  it("reads a bid for no as an ask for yes, exactly", () => {
    expect(bookFromBids([level("0.01", "5")], [level("0.9800", "1586.01")])).toEqual({
      bids: [level("0.01", "5")],
      asks: [level("0.02", "1586.01")],
    });
  });
});

describe("arbitrageSignals", () => {
  it("finds an edge with its size, its fees and what is left", () => {
    expect(arbitrageSignals([cheap, dear], NOW)).toEqual([
      {
        id: expect.stringMatching(/^arb_[0-9a-f]{16}$/),
        metal: "xau",
        horizonTarget: "2026-12-31",
        type: "digital",
        strike: "4300",
        buy: { venue: "kalshi", marketId: "kalshi-4300", side: "yes", price: "0.4", sizeUsd: "300.00" },
        sell: { venue: "polymarket", marketId: "polymarket-4300", side: "yes", price: "0.5", sizeUsd: "120.00" },
        grossEdgeBps: 1_000,
        // 0.07 · 0.4 · 0.6 + 0.04 · 0.5 · 0.5 of each contract
        feesBps: 268,
        netEdgeBps: 732,
        executableSizeUsd: "120.00",
        detectedAtMs: NOW,
      },
    ]);
  });

  it("is empty when fees eat the edge", () => {
    expect(arbitrageSignals([cheap, market("polymarket", "4300", book("0.42", "0.44"))], NOW)).toEqual([]);
  });

  it("counts the fees of the market's own terms", () => {
    const free = { ...dear, feeTerms: { rate: "0" } };
    // 0.07 · 0.4 · 0.6 of each contract at the other venue alone
    expect(arbitrageSignals([cheap, free], NOW)).toMatchObject([{ feesBps: 168, netEdgeBps: 832 }]);
    expect(arbitrageSignals([cheap, { ...dear, feeTerms: { rate: "0.4" } }], NOW)).toEqual([]);
    expect(arbitrageSignals([cheap, { ...dear, feeTerms: { leastContracts: "121" } }], NOW)).toEqual([]);
  });

  it("makes nothing of two markets of one venue whose terms differ", () => {
    const other = market("polymarket", "4300", book("0.38", "0.40"), { marketId: "other", feeTerms: { rate: "0" } });
    expect(arbitrageSignals([other, dear], NOW)).toEqual([]);
  });

  it("walks the books while each level gains", () => {
    const asks = [level("0.47", "10"), level("0.40", "50"), level("0.42", "30"), level("0.60", "900")];
    const [signal] = arbitrageSignals([{ ...cheap, book: { bids: [], asks } }, dear], NOW);
    // 50 at 0.40, 30 at 0.42, 10 at 0.47: the last gains 0.03 less 0.0275 of fees
    expect(signal).toMatchObject({ executableSizeUsd: "90.00", buy: { sizeUsd: "90.00", price: "0.414444" } });
  });

  it("finds a ladder that is out of order, and only in the direction that is certain", () => {
    const lower = market("kalshi", "4200", book("0.38", "0.40"));
    expect(arbitrageSignals([lower, dear], NOW)).toMatchObject([{ type: "ladder", strike: "4200" }]);
    const higher = market("kalshi", "4400", book("0.38", "0.40"));
    expect(arbitrageSignals([higher, dear], NOW)).toEqual([]);
  });

  it("uses each contract once, for the best edge first", () => {
    const cheaper = market("kalshi", "4200", book("0.34", "0.36", "70"));
    const found = arbitrageSignals([cheap, cheaper, dear], NOW);
    expect(found).toMatchObject([
      { buy: { marketId: "kalshi-4200" }, executableSizeUsd: "70.00" },
      { buy: { marketId: "kalshi-4300" }, executableSizeUsd: "50.00" },
    ]);
  });

  it("compares strikes as spot, by each market's basis", () => {
    const future = (strike: string) => market("kalshi", strike, book("0.38", "0.40"), { basis: "0.995" });
    expect(arbitrageSignals([future("4321"), dear], NOW)).toHaveLength(1);
    expect(arbitrageSignals([future("4322"), dear], NOW)).toEqual([]);
  });

  it.each<[string, Partial<DigitalMarket>]>([
    ["another settlement figure", { reference: "cme:GC" }],
    ["another instant", { expiresAtMs: EXPIRY - 3_600_000 }],
    ["a touch market", { kind: "touch" }],
    ["another metal", { metal: "xag" }],
    ["the same venue", { venue: "polymarket", feeModel: "polymarket" }],
    ["a market of unknown fees", { feeModel: "elsewhere" }],
    ["less than the smallest order", { book: book("0.38", "0.40", "4.9") }],
    ["a market that is over", { expiresAtMs: NOW }],
  ])("finds no signal in %s", (_, change) => {
    expect(arbitrageSignals([cheap, dear], NOW)).toHaveLength(1);
    expect(arbitrageSignals([{ ...cheap, ...change }, dear], NOW)).toEqual([]);
  });

  it("keeps id and first sight while the edge lasts, whatever its price and size", () => {
    const first = arbitrageSignals([cheap, dear], NOW);
    const later = arbitrageSignals([{ ...cheap, book: book("0.38", "0.41", "70") }, dear], NOW + 60_000, first);
    expect(later).toMatchObject([{ id: first[0]?.id, detectedAtMs: NOW, executableSizeUsd: "70.00" }]);
    const gone = arbitrageSignals([{ ...cheap, book: book("0.49", "0.51") }, dear], NOW + 120_000, later);
    expect(gone).toEqual([]);
    expect(arbitrageSignals([cheap, dear], NOW + 180_000, gone)).toMatchObject([
      { id: first[0]?.id, detectedAtMs: NOW + 180_000 },
    ]);
  });
});

/** Books around a single falling curve: no bid above it, no ask below it. */
const fairMarkets = fc
  .record({
    steps: fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 2, maxLength: 8 }),
    spreads: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 64, maxLength: 64 }),
    sizes: fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 32, maxLength: 32 }),
  })
  .map(({ steps, spreads, sizes }) => {
    let fair = 950;
    return steps.flatMap((step, rung) => {
      fair = Math.max(20, fair - step);
      return ["kalshi", "polymarket"].map((venue, index) => {
        const at = rung * 4 + index * 2;
        const bid = Math.max(1, fair - (spreads[at] ?? 0));
        const ask = Math.min(999, fair + (spreads[at + 1] ?? 0));
        const size = String(sizes[rung * 2 + index] ?? 1);
        return market(venue, String(4_000 + rung * 50), book((bid / 1_000).toFixed(3), (ask / 1_000).toFixed(3), size));
      });
    });
  });

describe("properties", () => {
  it("never makes a signal of books without arbitrage", () => {
    fc.assert(
      fc.property(fairMarkets, (markets) => {
        expect(arbitrageSignals(markets, NOW)).toEqual([]);
      }),
    );
  });

  it("finds a planted edge, only that one, with its full size", () => {
    const planted = fc.record({
      rung: fc.integer({ min: 0, max: 5 }),
      size: fc.integer({ min: 5, max: 900 }),
      edge: fc.integer({ min: 80, max: 150 }),
    });
    fc.assert(
      fc.property(planted, ({ rung, size, edge }) => {
        // rungs a tenth apart, so that an edge on one rung does not reach another
        const markets = Array.from({ length: 6 }, (_, index) => {
          const fair = 0.9 - 0.16 * index;
          const asks = [level(fair.toFixed(3), "1000")];
          return ["kalshi", "polymarket"].map((venue) =>
            market(venue, String(4_000 + 50 * index), { bids: [level((fair - 0.002).toFixed(3), "1000")], asks }),
          );
        }).flat();
        const target = markets[rung * 2 + 1];
        if (!target) throw new Error("no such rung");
        const bid = 0.9 - 0.16 * rung + edge / 1_000;
        if (bid >= 1) return;
        const found = arbitrageSignals(
          markets.map((one) =>
            one === target ? { ...one, book: { bids: [level(bid.toFixed(3), String(size))], asks: [] } } : one,
          ),
          NOW,
        );
        expect(found).toHaveLength(1);
        expect(found[0]).toMatchObject({
          type: "digital",
          executableSizeUsd: size.toFixed(2),
          sell: { venue: "polymarket", marketId: target.marketId },
        });
      }),
    );
  });
});
