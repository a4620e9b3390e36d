/** POST /v1/quotes over HTTP: pieces at a shop's counter. */
import { MAX_PIECES } from "@assay/contract";
import { FRIDAY_MS, makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let key: string;

beforeAll(async () => {
  app = await startTestApp();
  // A gram of fine gold for a hundred dollars.
  await app.publish({ ticks: [makeTick(1, { price: "3110.34768" })], fx: [makeRates()] });
  ({ key } = await app.key("pro"));
});
afterAll(() => app.close());

const GRAM = { metal: "XAU", weight: "1", unit: "gram" };
const post = (body: unknown, caller: string | undefined = key) => app.ask("/v1/quotes", { method: "POST", key: caller, body });
const quote = (items: readonly unknown[], currency = "USD") => post({ currency, items });

describe("the prices", () => {
  let busy: TestApp;
  beforeAll(async () => {
    busy = await startTestApp();
    await busy.publish({
      ticks: [
        makeTick(1, { price: "4003.20", bid: "4003.00", ask: "4003.50" }),
        makeTick(1, { computedAtMs: FRIDAY_MS - 9_000, instrument: "XAG-USD-SPOT", price: "52.125" }),
      ],
      fx: [makeRates()],
    });
  });
  afterAll(() => busy.close());
  const ask = async (items: readonly unknown[], currency = "EUR") =>
    busy.ask("/v1/quotes", { method: "POST", key: (await busy.key("pro")).key, body: { currency, items } });

  test("are the ask for what is sold and the bid for what is bought, each stated once, of one moment", async () => {
    const ounce = { metal: "XAU", weight: "1", unit: "oz" };
    const { json } = await ask([ounce, { ...ounce, side: "buy" }, { ...ounce, id: "again" }]);
    const fx = { fx_rate: "0.86", fx_source: "live-fx", fx_role: "live", fx_at: "2026-11-20T14:00:00Z" };
    const rate = { unit_grams: "31.1034768", ...fx, computed_at: "2026-11-20T14:00:00Z", is_stale: false };
    expect(json.prices).toEqual([
      { metal: "XAU", side: "sell", basis: "ask", price_usd: "4003.50", price_per_fine_gram: "110.695341943251823", ...rate },
      { metal: "XAU", side: "buy", basis: "bid", price_usd: "4003.00", price_per_fine_gram: "110.681517122227313", ...rate },
    ]);
    // 4003.50 × 0.86 and 4003.00 × 0.86
    expect(json.items.map(({ total }: { total: string }) => total)).toEqual(["3443.01", "3442.58", "3443.01"]);
    const none = { margin: "0.00", charges: "0.00", tax: "0.00" };
    expect(json.totals).toEqual({
      ...{ metal_value: "10328.60", making: "0.00", tax: "0.00", total: "10328.60" },
      sell: { metal_value: "6886.02", ...none, total: "6886.02" },
      buy: { metal_value: "3442.58", ...none, total: "3442.58" },
      due: "3443.44",
    });
    expect(json).toMatchObject({ currency: "EUR", computed_at: "2026-11-20T14:00:00Z" });
    expect(json.items[1]).toMatchObject({ metal: "XAU", side: "buy", is_stale: false });
  });

  test("are the price itself while there is neither bid nor ask, and say so", async () => {
    const ounce = { metal: "XAG", weight: "100", unit: "oz" };
    const { json } = await ask([ounce, { ...ounce, side: "buy" }], "USD");
    expect(json.prices).toMatchObject([
      { metal: "XAG", side: "sell", basis: "price", fx_rate: "1", fx_source: "identity" },
      { metal: "XAG", side: "buy", basis: "price" },
    ]);
    expect(json.items).toMatchObject([{ total: "5212.50" }, { total: "5212.50" }]);
  });

  test("of several metals are as old as the oldest", async () => {
    const { json } = await ask([GRAM, { metal: "XAG", weight: "1", unit: "gram" }]);
    expect(json.computed_at).toBe("2026-11-20T13:59:51Z");
  });

  test("say that they are stale, and why, when they are past their window", async () => {
    busy.clock.advance(10 * 60_000);
    const { json } = await ask([GRAM]);
    expect(json.prices).toMatchObject([{ metal: "XAU", is_stale: true, stale_reason: "feed_down" }]);
    busy.clock.set(FRIDAY_MS);
  });
});

/** A way to get a piece wrong, and where the answer says it is. */
const FAULTS: readonly (readonly [item: unknown, path: string, message: RegExp])[] = [
  ["ring", "", /must be an object/],
  [null, "", /must be an object/],
  [[GRAM], "", /must be an object/],
  [{ ...GRAM, metal: undefined }, ".metal", /is required/],
  [{ ...GRAM, metal: "lead" }, ".metal", /must be one of XAU, XAG, HG/],
  [{ ...GRAM, weight: undefined }, ".weight", /is required/],
  [{ ...GRAM, weight: 4.25 }, ".weight", /must be decimal text, such as "4.25": a JSON number/],
  [{ ...GRAM, weight: "-1" }, ".weight", /must be a plain decimal of 0 or more/],
  [{ ...GRAM, weight: "0.000" }, ".weight", /must be above 0/],
  [{ ...GRAM, weight: "NaN" }, ".weight", /must be a plain decimal/],
  [{ ...GRAM, weight: "Infinity" }, ".weight", /must be a plain decimal/],
  [{ ...GRAM, weight: "1e400" }, ".weight", /exponent/],
  [{ ...GRAM, weight: "4,25" }, ".weight", /must have a decimal point/],
  [{ ...GRAM, weight: "1 000" }, ".weight", /separators/],
  [{ ...GRAM, weight: "٤" }, ".weight", /must be a plain decimal/],
  [{ ...GRAM, weight: "9".repeat(33) }, ".weight", /must have at most 32 characters/],
  [{ ...GRAM, unit: undefined }, ".unit", /is required/],
  [{ ...GRAM, unit: "ounce" }, ".unit", /must be one of oz, gram, kg/],
  [{ ...GRAM, karat: 25 }, ".karat", /must be a whole number from 1 to 24/],
  [{ ...GRAM, karat: "25K" }, ".karat", /must be a whole number from 1 to 24/],
  [{ ...GRAM, karat: 17.5 }, ".karat", /must be a whole number from 1 to 24/],
  [{ ...GRAM, fineness: 0 }, ".fineness", /parts of 1000/],
  [{ ...GRAM, fineness: 22 }, ".fineness", /22 karat is karat: 22, 22 % is 220$/],
  [{ ...GRAM, fineness: "91.6" }, ".fineness", /^must be parts of 1000, above 100: 91.6 % is 916$/],
  [{ ...GRAM, fineness: 91.6 }, ".fineness", /91.6 % is 916$/],
  [{ ...GRAM, fineness: "99.99" }, ".fineness", /99.99 % is 999.9$/],
  [{ ...GRAM, fineness: 100 }, ".fineness", /100 % is 1000$/],
  [{ ...GRAM, fineness: "0.750" }, ".fineness", /three quarters are "750", not "0.750"/],
  [{ ...GRAM, fineness: "1000.5" }, ".fineness", /parts of 1000/],
  [{ ...GRAM, fineness: 1001 }, ".fineness", /parts of 1000/],
  [{ ...GRAM, fineness: 999.9999 }, ".fineness", /at most three decimals/],
  [{ ...GRAM, karat: 18, fineness: 750 }, ".fineness", /must not be given together with karat/],
  [{ ...GRAM, metal: "XAG", karat: 18 }, ".karat", /is a purity of gold/],
  [{ ...GRAM, side: "hold" }, ".side", /must be one of sell, buy/],
  [{ ...GRAM, margin_percent: 3 }, ".margin_percent", /must be decimal text/],
  [{ ...GRAM, margin_percent: "-3" }, ".margin_percent", /must be a plain decimal/],
  [{ ...GRAM, side: "buy", margin_percent: "100.01" }, ".margin_percent", /at most 100/],
  [{ ...GRAM, making: "12" }, ".making", /must be an object/],
  [{ ...GRAM, making: {} }, ".making", /must be one of per_gram, percent, fixed/],
  [{ ...GRAM, making: { percent: "1", fixed: "2" } }, ".making", /must be one of per_gram, percent, fixed/],
  [{ ...GRAM, making: { per_gram: 12.5 } }, ".making.per_gram", /must be decimal text/],
  [{ ...GRAM, making: { perGram: "12.5" } }, ".making.perGram", /the fields are per_gram, percent, fixed/],
  [{ ...GRAM, charges: { name: "stones", fixed: "1" } }, ".charges", /must be a list of charges/],
  [{ ...GRAM, charges: [{ name: "stones" }] }, ".charges[0]", /must be one of per_gram, percent, fixed/],
  [{ ...GRAM, charges: [{ fixed: "1" }] }, ".charges[0].name", /is required/],
  [{ ...GRAM, charges: [{ name: "=1", fixed: "1" }] }, ".charges[0].name", /beginning with a letter/],
  [{ ...GRAM, charges: [{ name: "Making", fixed: "1" }] }, ".charges[0].name", /is a field of its own: making/],
  [{ ...GRAM, charges: [{ name: "stones", fixed: "1", of: "metal" }] }, ".charges[0].of", /is for percent alone/],
  [
    { ...GRAM, charges: [{ name: "stones", percent: "1", of: "all" }] },
    ".charges[0].of",
    /must be one of metal, metal_and_margin, running/,
  ],
  [{ ...GRAM, charges: [{ name: "stones", fixed: "1", tax_percent: 18 }] }, ".charges[0].tax_percent", /must be decimal text/],
  [{ ...GRAM, charges: ["a", "A"].map((name) => ({ name, fixed: "1" })) }, ".charges", /different from the others'/],
  [{ ...GRAM, charges: [..."abcdefghi"].map((name) => ({ name, fixed: "1" })) }, ".charges", /at most 8 charges/],
  [{ ...GRAM, tax_percent: "21%" }, ".tax_percent", /must be a plain decimal/],
  [{ ...GRAM, tax_on: "value" }, ".tax_on", /must be one of all, making, none/],
  [{ ...GRAM, round_to: "0" }, ".round_to", /must be above 0/],
  [{ ...GRAM, id: 7 }, ".id", /must be text/],
  [{ ...GRAM, id: "x".repeat(65) }, ".id", /must have at most 64 characters/],
  [{ ...GRAM, price: "1" }, ".price", /the fields are id, metal, weight/],
  [JSON.parse('{"metal":"XAU","weight":"1","unit":"gram","__proto__":{"karat":18}}'), ".__proto__", /the fields are/],
];

test("words of a shop are read: units, metals and karats as they are written and stamped", async () => {
  const written = [
    { ...GRAM, unit: "g" },
    { ...GRAM, unit: "10 g", weight: "0.1" },
    { ...GRAM, metal: "gold", unit: "G" },
    { ...GRAM, karat: "24K" },
    { ...GRAM, metal: "Gold", karat: "24 kt" },
    { ...GRAM, unit: "baht" },
  ];
  const { json } = await quote(written);
  expect(json.items.map(({ total }: { total: string }) => total)).toEqual([...Array(5).fill("100.00"), "1524.40"]);
  expect(json.items[1]).toMatchObject({ metal: "XAU", asked: { unit: "ten_gram" } });
  expect(json.items[3].asked.karat).toBe(24);
});

describe("a piece that cannot be priced", () => {
  test(`is named by its path among ${MAX_PIECES}, whatever is wrong with it, and the others are answered`, async () => {
    const items = Array.from({ length: MAX_PIECES }, (_, at) =>
      at % 4 === 0 ? (FAULTS[(at / 4) % FAULTS.length]?.[0] ?? null) : { ...GRAM, id: `piece-${at}`, weight: `${at}` },
    );
    const { status, json } = await quote(items);
    expect(status).toBe(200);
    expect(json.items).toHaveLength(MAX_PIECES);
    for (const [at, item] of json.items.entries()) {
      if (at % 4 !== 0) {
        expect(item).toMatchObject({ id: `piece-${at}`, total: `${at * 100}.00` });
        expect(item).not.toHaveProperty("error");
        continue;
      }
      const [, path, message] = FAULTS[(at / 4) % FAULTS.length] ?? [];
      expect(item).toEqual({
        error: { code: "validation_error", message: expect.stringMatching(message ?? /^$/), path: `items[${at}]${path}` },
      });
    }
    const sum = Array.from({ length: MAX_PIECES }, (_, at) => (at % 4 === 0 ? 0 : at)).reduce((a, b) => a + b, 0);
    expect(json.totals.total).toBe(`${sum * 100}.00`);
  });

  test("keeps its id when that at least is text", async () => {
    const { json } = await quote([GRAM, { id: "ring-7", metal: "XAU" }]);
    expect(json.items[1]).toMatchObject({ id: "ring-7", error: { path: "items[1].weight" } });
  });

  test("for want of a price says what is missing", async () => {
    const { status, json } = await quote([GRAM, { ...GRAM, metal: "HG" }]);
    expect(status).toBe(200);
    expect(json.items[1].error).toEqual({
      code: "spot_unavailable",
      message: "There is no spot price of HG at the moment.",
      path: "items[1].metal",
    });
  });

  test("for its tier names the metal", async () => {
    const { json } = await post({ currency: "USD", items: [GRAM, { ...GRAM, metal: "XAG" }] }, (await app.key("basic")).key);
    expect(json.items[1].error).toEqual({
      code: "plan_gated",
      message: "Your tier does not include XAG.",
      path: "items[1].metal",
    });
  });
});

describe("a request without a single price is refused", () => {
  test("with an issue for each piece", async () => {
    const { status, json } = await quote(FAULTS.map(([item]) => item));
    expect([status, json.error, json.message]).toEqual([422, "validation_error", "None of the pieces can be priced."]);
    expect(json.issues).toHaveLength(FAULTS.length);
    expect(json.issues[6]).toMatchObject({ path: ["body", "items", 6, "weight"], code: "validation_error" });
    expect(json.issues[40]).toMatchObject({ path: ["body", "items", 40, "making", "per_gram"] });
  });

  test("for the tier when that alone is in the way, naming the one that has all the metals", async () => {
    const free = (await app.key("free")).key;
    const gated = [
      { ...GRAM, metal: "XAG" },
      { ...GRAM, metal: "HG" },
    ];
    const whole = await post({ currency: "USD", items: gated }, free);
    expect(whole.json).toMatchObject({ error: "plan_gated", tier: "free", required_tier: "pro" });
    const mixed = await post({ currency: "USD", items: [...gated, { ...GRAM, karat: 0 }] }, free);
    expect(mixed.json.issues.map(({ code }: { code: string }) => code)).toEqual(["plan_gated", "plan_gated", "validation_error"]);
  });

  test("for want of a price or of a rate", async () => {
    const metal = await quote([{ ...GRAM, metal: "HG" }]);
    expect([metal.status, metal.json.message]).toEqual([503, "There is no spot price of HG at the moment."]);
    const rate = await quote([GRAM], "EGP");
    expect([rate.status, rate.json.message]).toEqual([503, "There is no exchange rate of EGP at the moment."]);
  });

  test("for its currency, or for too many pieces or none", async () => {
    for (const [body, path, message] of [
      [{ currency: "XXX", items: [GRAM] }, ["body", "currency"], /must be one of AED, AUD/],
      [{ currency: "eur", items: [GRAM] }, ["body", "currency"], /must be one of/],
      [{ items: [GRAM] }, ["body", "currency"], /is required/],
      [{ currency: "USD" }, ["body", "items"], /is required/],
      [{ currency: "USD", items: [] }, ["body", "items"], /at least one piece/],
      [{ currency: "USD", items: Array(MAX_PIECES + 1).fill(GRAM) }, ["body", "items"], /at most 500 pieces/],
      [{ currency: "USD", items: GRAM }, ["body", "items"], /must be a list of pieces/],
      [{ currency: "USD", items: [GRAM], tax_percent: "3" }, ["body", "tax_percent"], /a field of each piece in items/],
    ] as const) {
      const { status, json } = await post(body);
      expect(status).toBe(422);
      expect(json.issues).toEqual([expect.objectContaining({ path, message: expect.stringMatching(message) })]);
    }
  });
});

test("over tRPC a body is as large as over REST, and no larger for what is called beside it", async () => {
  const items = Array.from({ length: MAX_PIECES }, (_, at) => ({ ...GRAM, id: `${at}`.padEnd(64, "x"), tax_on: "none" }));
  const one = await app.ask("/trpc/quotes.create", { method: "POST", key, body: { currency: "USD", items } });
  expect(one.json.result.data.items).toHaveLength(MAX_PIECES);
  const batch = await app.ask("/trpc/quotes.create,spot.get?batch=1", {
    method: "POST",
    key,
    body: { 0: { currency: "USD", items }, 1: { symbol: "XAU" } },
  });
  expect(batch.status).toBe(413);
});
