/** Polymarket's events and books: valid, broken and captured payloads. */
import { askLevels, bidLevels, dec, feesOf } from "@assay/pricing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FeedContext, FeedRequest } from "../../feed/feed.ts";
import { listening, unheard } from "../../testing/partial-errors.ts";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { parsePolymarketBooks, polymarket, readPolymarketBook } from "./polymarket.ts";
import { monthlyEvents, parsePolymarketEvents, strikeOf } from "./polymarket-listing.ts";

const EVENTS = fixture("polymarket-events.json.txt");
const BOOKS = fixture("polymarket-books.json.txt");
const ASKED = monthlyEvents(NOW_MS);
/** 13:30 of the last business day of December 2026 in New York. */
const SETTLED_MS = Date.parse("2026-12-31T18:30:00Z");

const hundredAtAHalf = [dec(100), dec("0.5")] as const;
const read = (text: string, partial: FeedContext["partial"] = unheard) => parsePolymarketEvents(text, ASKED, partial);

describe("the events of a month", () => {
  it("are settled on its last business day, gold at 13:30 and silver at 13:25 in New York, summer or winter", () => {
    const at = (slug: string, nowMs: number) => {
      const found = monthlyEvents(nowMs).find((event) => event.slug === slug);
      return found && [new Date(found.expiresAtMs).toISOString(), found.reference];
    };
    expect(at("gc-over-under-dec-2026", NOW_MS)).toEqual(["2026-12-31T18:30:00.000Z", "cme:GC-settlement"]);
    expect(at("si-settle-feb-2027", NOW_MS)).toEqual(["2027-02-26T18:25:00.000Z", "cme:SI-settlement"]);
    // The last weekday of May 2027 is Memorial Day.
    expect(at("gc-over-under-may-2027", NOW_MS)).toEqual(["2027-05-28T17:30:00.000Z", "cme:GC-settlement"]);
    expect(at("gc-over-under-jun-2027", NOW_MS)).toBeUndefined();
  });

  it("are over when the month is settled, and those of the next half year are requested", () => {
    expect(ASKED).toHaveLength(7 * 6);
    const slugs = monthlyEvents(Date.parse("2026-11-30T18:30:00Z")).map(({ slug }) => slug);
    expect(slugs).not.toContain("gc-hit-nov-2026");
    expect(slugs[0]).toBe("gc-over-under-dec-2026");
  });
});

describe("a market's title", () => {
  const over = "Will Gold (GC) settle over $4,800 on the final trading day of June 2026?";
  it.each<[Parameters<typeof strikeOf>, ReturnType<typeof strikeOf>]>([
    [["over-under", "$4,800", over], { kind: "terminal", strike: "4800" }],
    [["over-under", "$48.50", "Will Silver (SI) settle above $48.50?"], { kind: "terminal", strike: "48.50" }],
    [["over-under", "$4,800", "Will Gold (GC) settle under $4,800?"], null],
    [["over-under", "$4,800", "Will Gold (GC) go up?"], null],
    [["settle", ">$5,000", "Will Gold (GC) settle at >$5,000 in June?"], { kind: "terminal", strike: "5000" }],
    [["settle", "$5,000+", ""], { kind: "terminal", strike: "5000" }],
    [["settle", "<$3,800", ""], null],
    [["settle", "$3,800-$4,200", ""], null],
    [["hit", "↑ $8,000", ""], { kind: "touch", strike: "8000" }],
    [["hit", "↓ $45", ""], { kind: "touch", strike: "45" }],
  ])("%j is %j", (asked, expected) => {
    expect(strikeOf(...asked)).toEqual(expected);
  });

  it.each(["", "Gold", "$4,800 or $5,000", "$4.8k", "$0", "$4,800m"])("refuses %j where a strike must be", (title) => {
    expect(() => strikeOf("over-under", title, over)).toThrow(/groupItemTitle: must hold one strike/);
  });
});

describe("a list of events", () => {
  it("is what trades and pays above one strike, with the published digits, each with its own fees", () => {
    const markets = read(EVENTS);
    expect(markets.map(({ marketId, kind, strike }) => `${marketId} ${kind} ${strike}`)).toEqual([
      "gc-above-3800-dec-2026 terminal 3800",
      "gc-above-4000-dec-2026 terminal 4000",
      "gc-above-4200-dec-2026 terminal 4200",
      "gc-above-4400-dec-2026 terminal 4400",
      "gc-settle-gt-4300-dec-2026 terminal 4300",
      "gc-hit-5000-high-dec-2026 touch 5000",
      "si-above-48pt5-dec-2026 terminal 48.50",
    ]);
    expect(markets[1]).toEqual({
      venue: "polymarket",
      marketId: "gc-above-4000-dec-2026",
      metal: "xau",
      kind: "terminal",
      strike: "4000",
      expiresAtMs: SETTLED_MS,
      reference: "cme:GC-settlement",
      feeModel: "polymarket",
      feeTerms: { rate: "0.04", exponent: 1, leastContracts: "5" },
      volumeUsd: "1200.5",
      yesToken: "114000",
    });
    expect(markets[6]).toMatchObject({ metal: "xag", reference: "cme:SI-settlement" });
  });

  it("uses the token of yes wherever it is listed", () => {
    const turned = EVENTS.replace(/\[\\"Yes\\", \\"No\\"\]/, '[\\"No\\", \\"Yes\\"]');
    expect(read(turned)[0]?.yesToken).toBe("9113800");
  });

  it.each([
    ["without fees", '"feesEnabled":true', '"feesEnabled":false', "0"],
    ["of another rate", '"rate":0.04', '"rate":0.03', "0.75"],
    ["of another exponent", '"exponent":1,"rate":0.04', '"exponent":2,"rate":0.04', "0.25"],
    ["of an exponent that is no whole number", '"exponent":1', '"exponent":1.5', undefined],
    ["that says nothing", '"feesEnabled":true, "feeSchedule":{"exponent":1', '"x":true, "y":{"exponent":1', undefined],
  ])("knows the fees of a market %s", (_what, from, to, hundredAtHalf) => {
    const [first, second] = read(EVENTS.replace(from, to));
    const fee = (market: typeof first) =>
      market &&
      feesOf(market)
        ?.feeUsd(...hundredAtAHalf)
        .toFixed();
    expect([fee(first), fee(second)]).toEqual([hundredAtHalf, "1"]);
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an error of the venue", '{"type":"validation error","error":"slug invalid"}', /body: /],
    [
      "events of another month's end",
      EVENTS.replaceAll('"endDate":"2026-12-31', '"endDate":"2026-11-30'),
      /endDate.* \(and 3 more\)$/,
    ],
    [
      "markets that are all broken",
      EVENTS.replaceAll('"clobTokenIds"', '"tokens"'),
      /^event 1 of 4: market 1 of 5: .*clobTokenIds/,
    ],
  ])("refuses %s", (_what, text, message) => {
    expect(() => read(text, () => undefined)).toThrow(message);
  });

  it.each([
    ["a strike nobody can read", '"groupItemTitle": "$3,800"', '"groupItemTitle": "low"', /groupItemTitle/],
    ["outcomes that are no JSON", '\\"Yes\\", \\"No\\"]', '\\"Yes\\", ', /outcomes: must hold JSON/],
    ["outcomes that are no text", '"outcomes": "[\\"Yes\\", \\"No\\"]"', '"outcomes": ["Yes", "No"]', /outcomes: must be text/],
    ["other outcomes", '\\"Yes\\", \\"No\\"', '\\"Up\\", \\"Down\\"', /outcomes: must be Yes and No/],
    ["three tokens", '\\"113800\\", ', '\\"113800\\", \\"1\\", ', /outcomes: must be Yes and No with a token each/],
    ["a token that is none", '\\"113800\\"', '\\"../x\\"', /outcomes/],
    ["a rate as text", '"rate":0.04', '"rate":"0.04"', /feeSchedule\.rate: must be a number/],
    ["a slug that is an address", '"slug": "gc-above-3800-dec-2026"', '"slug": "https://x"', /slug: must be a slug/],
  ])("leaves one market with %s out and reports it", (_what, from, to, message) => {
    const { heard, partial } = listening();
    expect(read(EVENTS.replace(from, to), partial)).toHaveLength(6);
    expect(heard).toMatchObject([{ kind: "payload", message: expect.stringMatching(message) }]);
  });

  it("keeps a market whose volume it cannot read", () => {
    expect(read(EVENTS.replace('"volumeNum":1200.5', '"volumeNum":"a lot"'))[0]).toMatchObject({ volumeUsd: null });
  });
});

describe("books", () => {
  it("are as published, the best price last, and the best is found wherever it is", () => {
    const book = parsePolymarketBooks(BOOKS, unheard).get("114000");
    if (!book) return expect.fail("no book");
    expect(book.bids.map(({ price }) => price)).toEqual(["0.01", "0.5", "0.51"]);
    expect(book.asks.map(({ price }) => price)).toEqual(["0.99", "0.56", "0.54"]);
    expect(bidLevels(book)[0]?.price.toFixed()).toBe("0.51");
    expect(askLevels(book)[0]).toMatchObject({ price: expect.anything(), size: expect.anything() });
    expect(askLevels(book)[0]?.size.toFixed()).toBe("75.25");
  });

  it.each([
    ["a price of two dollars", '"price":"0.75"', '"price":"2"', /bids\.2\.price: must be a price/],
    ["a size as a number", '"size":"81.5"', '"size":81.5', /bids\.2\.size: must be text/],
    ["one side alone", '"asks":[{"price":"0.99","size":"5000"}', '"sells":[{"price":"0.99","size":"5000"}', /asks/],
  ])("with %s leave one market out, and the others remain", (_what, from, to, message) => {
    const { heard, partial } = listening();
    expect(parsePolymarketBooks(BOOKS.replace(from, to), partial).size).toBe(6);
    expect(heard).toMatchObject([{ message: expect.stringMatching(message) }]);
  });

  it("never turn a bid into an ask, in whatever order and however crossed they come", () => {
    const side = fc.array(
      fc.record({
        price: fc.integer({ min: 1, max: 999 }).map((at) => (at / 1_000).toFixed(3)),
        size: fc.constantFrom("5", "12.25"),
      }),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(side, side, (bids, asks) => {
        const [, book] = readPolymarketBook({ asset_id: "1", bids, asks, neg_risk: true });
        expect(book).toEqual({ bids, asks });
      }),
    );
  });
});

describe("the feed", () => {
  const LIST = `/events?limit=42${ASKED.map(({ slug }) => `&slug=${slug}`).join("")}`;

  it("is one reading a metal: terminal markets and, marked as such, touch markets, with their books", async () => {
    const context = prepared({ [LIST]: EVENTS, "/books": BOOKS });
    const sent: FeedRequest[] = [];
    const get: FeedContext["get"] = (request) => {
      sent.push(request);
      return context.get(request);
    };
    const [gold, silver] = await polymarket.fetch({ ...context, get });
    expect(context.partials).toEqual([]);
    if (gold?.kind !== "markets" || silver?.kind !== "markets") return expect.fail("no markets");
    expect(gold.markets.map(({ strike, kind }) => `${strike} ${kind}`)).toEqual([
      "3800 terminal",
      "4000 terminal",
      "4200 terminal",
      "4400 terminal",
      "4300 terminal",
      "5000 touch",
    ]);
    expect(gold.markets[1]).toMatchObject({
      venue: "polymarket",
      book: parsePolymarketBooks(BOOKS, unheard).get("114000"),
      retrievedAtMs: NOW_MS,
    });
    expect(Object.keys(gold.markets[1] ?? {})).not.toContain("yesToken");
    expect(silver).toMatchObject({ source: "polymarket", markets: [{ metal: "xag", strike: "48.50" }], observedAtMs: NOW_MS });
    expect(sent[1]).toMatchObject({ baseUrl: "https://clob.polymarket.com", path: "/books" });
    expect(JSON.parse(sent[1]?.post?.body ?? "")).toEqual(
      ["4448", "113800", "114000", "114200", "114400", "224301", "335000"].map((token) => ({ token_id: token })),
    );
  });

  it("leaves a market out whose book did not arrive, and fails when none arrived or nothing is open", async () => {
    const [, ...rest] = JSON.parse(BOOKS) as unknown[]; // our own list of books
    const context = prepared({ [LIST]: EVENTS, "/books": JSON.stringify(rest) });
    const [gold] = await polymarket.fetch(context);
    expect(gold?.kind === "markets" && gold.markets).toHaveLength(5);
    expect(context.partials).toMatchObject([{ message: "1 of 7 books could not be read" }]);
    await expect(polymarket.fetch(prepared({ [LIST]: EVENTS, "/books": "[]" }))).rejects.toThrow(
      "7 of 7 books could not be read",
    );
    await expect(polymarket.fetch(prepared({ [LIST]: "[]" }))).rejects.toThrow("no market is open");
  });

  it("reads captured payloads", (test) => {
    const [event, book] = [captured("payloads/polymarket_gamma_event_gold.json"), captured("payloads/polymarket_clob_book.json")];
    if (event === null || book === null) return test.skip("no ../shared/data beside the repository");
    const asked = monthlyEvents(Date.parse("2026-05-30T12:00:00Z"));
    const [market, ...others] = parsePolymarketEvents(event, asked, unheard);
    expect(others).toEqual([]);
    expect(market).toMatchObject({
      marketId: "gc-above-4800-jun-2026",
      kind: "terminal",
      strike: "4800",
      expiresAtMs: Date.parse("2026-06-30T17:30:00Z"),
      feeTerms: { rate: "0.04", exponent: 1 },
      volumeUsd: "549414.493468",
    });
    const [token, read] = readPolymarketBook(JSON.parse(book));
    expect(token).toBe(market?.yesToken);
    expect([bidLevels(read)[0]?.price.toFixed(), askLevels(read)[0]?.price.toFixed()]).toEqual(["0.07", "0.08"]);
  });
});
