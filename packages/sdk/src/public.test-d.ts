/** The public interface as consumers use it, every method once; a release that breaks these lines breaks programs. */
import { expectTypeOf } from "vitest";
import {
  ApiError,
  Assay,
  type Bar,
  type BarsListParams,
  type BarsPage,
  type Conversion,
  CURRENCIES,
  type Currency,
  Decimal,
  type Divergence,
  type ErrorCode,
  Http5xxError,
  type Http403Error,
  type Interval,
  type Key,
  type MintedKey,
  PlanGatedError,
  type PublishedDecimal,
  RateLimitExceededError,
  type SpotRow,
  type Status,
  type Tier,
  type TierName,
  type Usage,
  ValidationError,
  type Wire,
} from "./index.ts";

const assay = new Assay({ apiKey: "k", baseUrl: "http://assay.test", timeoutMs: 1, maxRetries: 0 });
const window: BarsListParams = { symbol: "XAU-USD-SPOT", from: "2026-01-01", to: new Date() };

/** Exported so that the compiler considers it used; it is never run. */
export const use = async (): Promise<void> => {
  expectTypeOf(await assay.system.status()).toEqualTypeOf<Status>();
  expectTypeOf((await assay.system.health()).version).toEqualTypeOf<string>();
  expectTypeOf(await assay.tiers.list()).toEqualTypeOf<readonly Tier[]>();
  expectTypeOf((await assay.publicHistory.xau()).series[0]?.close).toEqualTypeOf<PublishedDecimal | undefined>();
  expectTypeOf((await assay.prices.list()).symbols).toEqualTypeOf<readonly SpotRow[]>();
  expectTypeOf(await assay.prices.list({ symbol: "gold", include: ["karat", "stats"] }).raw()).toEqualTypeOf<Wire.Prices>();
  expectTypeOf(await assay.prices.divergence({ threshold: 20 })).toEqualTypeOf<Divergence>();
  expectTypeOf(
    (await assay.prices.history({ symbol: "gold", from: "2026-01-01", to: "2026-01-02" })).from,
  ).toEqualTypeOf<string>();
  expectTypeOf((await assay.spot.get("gold", { include: ["sources"] })).computedAt).toEqualTypeOf<Date | undefined>();
  expectTypeOf(await assay.bars.list(window)).toEqualTypeOf<BarsPage>();
  expectTypeOf(await assay.bars.list({ ...window, order: "asc", closedOnly: true }).toArray()).toEqualTypeOf<Bar[]>();
  for await (const bar of assay.bars.list(window)) expectTypeOf(bar.open).toEqualTypeOf<PublishedDecimal | null>();
  for await (const bar of assay.bars.list(window).raw()) expectTypeOf(bar).toEqualTypeOf<Wire.Bar>();
  for await (const page of assay.bars.list(window).pages()) expectTypeOf(page.nextCursor).toEqualTypeOf<string | null>();
  expectTypeOf((await assay.bars.latest({ symbol: "GC", interval: "1h" })).interval).toEqualTypeOf<Interval>();
  expectTypeOf(await assay.convert.get({ from: "XAU", to: "EUR", amount: new Decimal(1) })).toEqualTypeOf<Conversion>();
  expectTypeOf((await assay.carat.get({ currency: "EUR" })).priceGram24k).toExtend<Decimal>();
  expectTypeOf(await assay.spot.receipt("gold", { include: ["karat"] }, { maxRetries: 0 })).toEqualTypeOf<string>();
  expectTypeOf(await assay.convert.receipt({ from: "XAU", to: "EUR" }).raw()).toEqualTypeOf<string>();
  expectTypeOf((await assay.carat.receipt().withResponse()).data).toEqualTypeOf<string>();
  expectTypeOf(await assay.account.listKeys()).toEqualTypeOf<readonly Key[]>();
  expectTypeOf(await assay.account.mintKey({ name: "ci" }, { idempotencyKey: "once" })).toEqualTypeOf<MintedKey>();
  expectTypeOf(await assay.account.revokeKey("k1")).toEqualTypeOf<void>();
  expectTypeOf(await assay.get("/v1/prices", { query: { symbol: "gold" }, maxRetries: 0 })).toEqualTypeOf<unknown>();
  expectTypeOf(await assay.spot.get("gold", {}, { extraQuery: { of_tomorrow: 1 } })).toExtend<{ isStale: boolean }>();
  const { data, response, requestId, rateLimit } = await assay.account.usage({ maxAgeMs: 0 }).withResponse();
  expectTypeOf(data).toEqualTypeOf<Usage>();
  expectTypeOf(response).toEqualTypeOf<Response>();
  expectTypeOf(requestId).toEqualTypeOf<string | null>();
  expectTypeOf(rateLimit?.remaining).toEqualTypeOf<number | undefined>();
};

export const tell = (error: unknown): string => {
  if (error instanceof PlanGatedError) {
    expectTypeOf(error).toExtend<Http403Error>();
    expectTypeOf(error.requiredTier).toEqualTypeOf<TierName>();
    expectTypeOf(error.tier).toEqualTypeOf<TierName | null>();
    return error.requiredTier;
  }
  if (error instanceof ValidationError)
    return error.issues.map(({ path, code, message }) => `${path.join()} ${code} ${message}`).join();
  if (error instanceof RateLimitExceededError) return `${error.limit} a ${error.window} until ${error.resetAt?.toISOString()}`;
  if (error instanceof Http5xxError) expectTypeOf(error).toExtend<ApiError>();
  if (error instanceof ApiError) {
    expectTypeOf<ErrorCode>().toExtend<NonNullable<typeof error.code>>();
    // @ts-expect-error a code may be added later
    error.code satisfies ErrorCode | null;
  }
  if (error instanceof ApiError) return `${error.status} ${error.code} ${error.requestId} ${error.retryAfter}`;
  return String(error);
};

// @ts-expect-error a symbol is required
void assay.spot.get();
// @ts-expect-error a window is required
void assay.bars.list({ symbol: "GC" });
// @ts-expect-error a Date is another day in another time zone
void assay.series.list({ symbol: "XAU-EUR", from: new Date(), to: "2026-11-20" });
void assay.convert.get({ from: "XAU", to: "EUR", unit: "gram" });
// A unit an operator's catalogue may have.
void assay.convert.get({ from: "XAU", to: "EUR", unit: "grams" });
// @ts-expect-error no such parameter
void assay.prices.list({ symbols: "gold" });
// @ts-expect-error answers are read-only
void assay.prices.list().then((prices) => prices.symbols.push());

void new Assay({ maxConcurrent: 4, onRequest: ({ method, url, attempt }) => expectTypeOf([method, url, attempt]).not.toBeAny() });
// @ts-expect-error no such option
void new Assay({ timeout: 5_000 });

expectTypeOf(CURRENCIES[0]).toEqualTypeOf<"AUD">();
expectTypeOf<(typeof CURRENCIES)[number]>().toEqualTypeOf<Currency>();
expectTypeOf(assay.withOptions({ timeoutMs: 5 })).toEqualTypeOf<Assay>();
expectTypeOf(assay.spot.get("XAU-EUR-SPOT").asResponse()).toEqualTypeOf<Promise<Response>>();
void assay.spot.get("a symbol of tomorrow");

/** Operators on figures: what the compiler refuses. It cannot refuse `a < b`, which throws instead. */
export const operate = (price: PublishedDecimal, other: PublishedDecimal): readonly unknown[] => [
  expectTypeOf(price.valueOf).returns.toEqualTypeOf<never>(),
  // @ts-expect-error compared with a number
  price > 5_000,
  // @ts-expect-error compared with text
  price < "999.50",
  // @ts-expect-error equal to text
  price === "4003.20",
  // @ts-expect-error added
  price + other,
  // @ts-expect-error subtracted
  price - other,
  // @ts-expect-error multiplied
  price * 2,
  // @ts-expect-error not a number
  Math.max(price, other),
  // @ts-expect-error answers are read-only: not sorted in place
  assay.prices.list().then(({ symbols }) => symbols.sort()),
  [price, other].sort((a, b) => a.cmp(b)),
  `${price}`,
];
