/** Whatever the request and the transport, no Free or keyless caller reads a figure of the last 15 minutes. */
import {
  contract,
  DAY_MS,
  DEFAULT_CATALOG,
  DELAY_MS,
  FORMATS,
  formatsOf,
  INTERVAL_MS,
  INTERVALS,
  isChanging,
  pages,
  type Route,
} from "@assay/contract";
import { exampleInput, requestBody, requestPath } from "@assay/contract-test/requests";
import {
  FRIDAY_MS,
  makeBar,
  makeBars,
  makeDealerTick,
  makeRates,
  makeSettlement,
  makeSource,
  makeSurfaces,
  makeTick,
} from "@assay/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";
import { RESOLUTION_NAMES } from "../udf/udf-protocol.ts";

type Input = Readonly<Record<string, unknown>>;

interface Question {
  readonly name: string;
  readonly route: Route;
  readonly input: Input;
}

const DAYS = { from: "2026-11-01", to: "2026-11-20" };

/** Requests besides a route's minimal one: every way to ask for a current price, and values that are refused. */
const MORE: Readonly<Record<string, readonly Input[]>> = {
  "prices.list": [
    { include: "all" },
    { symbol: "XAU-EUR-SPOT", include: "all" },
    { symbol: "silver" },
    { symbol: "XAU-XXX-SPOT" },
  ],
  "prices.divergence": [{ threshold: 1 }],
  "prices.history": ["1m", "1h", "4h", "1d", "1w"].map((interval) => ({ symbol: "XAU", interval, ...DAYS })),
  "spot.get": ["gold", "XAU-EUR-SPOT", "silver", "copper", "XAU-USD-FUTURES", "nothing"].map((symbol) => ({
    symbol,
    include: "all",
  })),
  "bars.list": INTERVALS.map((interval) => ({ symbol: "XAU-USD-SPOT", interval, ...DAYS })),
  "bars.latest": INTERVALS.map((interval) => ({ symbol: "XAU-USD-SPOT", interval })),
  "convert.get": [
    { from: "XAU", to: "USD" },
    { from: "USD", to: "XAU", amount: "1000000" },
    { from: "XAG", to: "EUR", amount: "3" },
    { from: "XAU", to: "XAG" },
    { from: "XAU", to: "USD", unit: "kg" },
    { from: "XAU", to: "nothing" },
  ],
  "carat.get": [{ currency: "USD" }, { currency: "EUR" }, { currency: "nothing" }],
  "forwardView.get": [{ asset: "XAU" }, { asset: "XAG" }, { asset: "nothing" }],
  "ratios.latest": [{ pair: "gold-silver" }],
  "ratios.list": [{ pair: "gold-silver", ...DAYS }],
  "physical.get": [{ country: "AE" }],
  "settlements.list": [{ symbol: "GC" }],
  "quotes.create": ["USD", "EUR", "JPY"].map((currency) => ({
    currency,
    items: ["sell", "buy"].flatMap((side) => ["XAU", "XAG", "HG"].map((metal) => ({ metal, weight: "1000", unit: "kg", side }))),
  })),
  "badge.get": ["gold", "XAU-EUR-SPOT", "silver", "copper"].map((metal) => ({ metal })),
  "embed.get": [{ metal: "gold", currency: "EUR" }, { metal: "silver" }],
};

const QUESTIONS: Question[] = Object.entries({ ...contract, ...pages }).flatMap(([resource, routes]) =>
  Object.entries<Route>(routes)
    .filter(([, route]) => !isChanging(route))
    .flatMap(([action, route]) => {
      const name = `${resource}.${action}`;
      return [exampleInput(route), ...(MORE[name] ?? [])].map((input) => ({ name, route, input }));
    }),
);

/** TradingView's data feed, which is the bars route in another form. */
const UDF_PATHS = [
  ...["config", "time", "search?query=gold", "symbols?symbol=XAU-USD-SPOT"],
  ...["XAU-USD-SPOT", "XAG-USD-SPOT", "GC", "nothing"].flatMap((symbol) =>
    RESOLUTION_NAMES.map((resolution) => {
      const [fromS, toS] = [FRIDAY_MS - 20 * DAY_MS, FRIDAY_MS + DAY_MS].map((ms) => Math.floor(ms / 1_000));
      return `history?symbol=${symbol}&resolution=${resolution}&from=${fromS}&to=${toS}`;
    }),
  ),
  `history?symbol=XAU-USD-SPOT&resolution=1&to=${Math.floor(FRIDAY_MS / 1_000) + 3_600}&countback=5`,
].map((path) => `/udf/${path}`);

/** Paths outside the contract. */
const OTHER_PATHS = [
  "/",
  "/docs",
  "/openapi.json",
  "/asyncapi.json",
  "/llms.txt",
  "/llms-full.txt",
  "/metrics",
  "/v1/prices/stream",
  "/v1/nothing",
];

const trpcPath = ({ name, input }: Question): string => `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
const batchPath = ({ name, input }: Question): string =>
  `/trpc/system.health,${name}?batch=1&input=${encodeURIComponent(JSON.stringify({ 1: input }))}`;

interface Call {
  readonly path: string;
  readonly request?: NonNullable<Parameters<TestApp["ask"]>[1]>;
}

/** A tool called as by a client that keeps no session. */
const toolCall = (name: string, input: Input): Call => ({
  path: "/mcp",
  request: {
    method: "POST",
    headers: { Accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } },
  },
});

const askedOf = (question: Question): Call[] => {
  const { name, route, input } = question;
  const rawBody = requestBody(route, input);
  const posted =
    rawBody === null ? {} : { request: { method: "POST", headers: { "Content-Type": "application/json" }, rawBody } };
  const path = requestPath(route, input);
  const doors: Call[] =
    rawBody === null
      ? [{ path, request: { method: "HEAD" } }, { path: trpcPath(question) }, { path: batchPath(question) }]
      : [{ path: `/trpc/${name}`, ...posted }];
  return [
    { path, ...posted },
    ...doors,
    ...formatsOf(route).map((format) => ({ path: requestPath(route, input, `format=${format}`), ...posted })),
    ...(route.tool ? [toolCall(route.tool.name, input)] : []),
  ];
};

/** What a receipt says is its middle part. */
const readable = (text: string): string =>
  /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text) ? Buffer.from(text.split(".")[1] ?? "", "base64url").toString("utf8") : text;

/** Decimal figures long enough not to coincide by chance, without trailing zeros added by formatting. */
const figuresIn = (text: string): Set<string> =>
  new Set(
    (text.match(/\d+\.\d+/g) ?? [])
      .map((figure) => figure.replace(/\.?0+$/, ""))
      .filter((figure) => figure.replace(/^0\.0*/, "").replace(".", "").length >= 5),
  );

/** Live figures, recognisable by these digits. */
const LIVE = "4321.987";
const LIVE_DIGITS = "4321.9";

let app: TestApp;
let top: string;
let free: string;

/** What one caller reads: status, headers and text of every request over every transport. */
const readAll = async (key: string | undefined): Promise<string[]> => {
  const asked = QUESTIONS.flatMap(askedOf);
  const answers: string[] = [];
  const others: Call[] = [...UDF_PATHS, ...OTHER_PATHS].map((path) => ({ path }));
  for (const { path, request = {} } of [...asked, ...others]) {
    const { status, headers, text } = await app.ask(path, { key, ...request });
    const { method = "GET", body = "", rawBody } = request;
    const line = `${method} ${path} ${rawBody ?? JSON.stringify(body)}`;
    answers.push(`${line}\n${status}\n${[...headers].map((pair) => pair.join(": ")).join("\n")}\n${readable(text)}`);
  }
  return answers;
};

const figuresOf = (answers: readonly string[]): Set<string> =>
  new Set(answers.flatMap((answer) => [...figuresIn(answer.slice(answer.indexOf("\n")))]));

const OFTEN = { rate_limit_per_minute: 1_000_000, monthly_quota: 10_000_000 };

beforeAll(async () => {
  const { tiers, keyless } = DEFAULT_CATALOG;
  const catalog = {
    keyless,
    tiers: { ...tiers, free: { ...tiers.free, ...OFTEN }, realtime_pro: { ...tiers.realtime_pro, ...OFTEN } },
  };
  app = await startTestApp({ marketHours: false, catalog });
  const dayMs = Math.floor(FRIDAY_MS / 86_400_000) * 86_400_000;
  const earlierMs = FRIDAY_MS - 20 * 60_000;
  await app.publish({
    ticks: [
      makeTick(1, { computedAtMs: earlierMs }),
      makeTick(1, { instrument: "XAG-USD-SPOT", price: "48.250", computedAtMs: earlierMs }),
      makeTick(1, { instrument: "HG-USD-SPOT", price: "5.1250", computedAtMs: earlierMs }),
    ],
    fx: [makeRates({ observedAtMs: earlierMs }), makeRates()],
    bars: [
      ...makeBars("1d", dayMs - 86_400_000, 20),
      ...makeBars("1d", dayMs - 86_400_000, 20, { symbol: "XAG-USD-SPOT", close: "48.125" }),
      ...makeBars("1m", earlierMs, 60),
    ],
    settlements: [makeSettlement()],
  });
  top = (await app.key("realtime_pro")).key;
  free = (await app.key("free")).key;
});
afterAll(() => app.close());

/** What a writer publishes in one second: prices, forming bars of every interval, a settlement, a dealer, a surface. */
const publishLive = async (): Promise<void> => {
  const forming = INTERVALS.map((interval) =>
    makeBar({
      interval,
      barStartMs: Math.floor(FRIDAY_MS / INTERVAL_MS[interval]) * INTERVAL_MS[interval],
      open: "4321.911",
      high: "4321.999",
      low: "4321.902",
      close: LIVE,
      isClosed: false,
    }),
  );
  await app.publish({
    ticks: [
      makeTick(2, {
        price: LIVE,
        conf: "1.2345",
        divergenceBps: 91,
        bid: "4321.955",
        ask: "4322.019",
        sources: [makeSource({ price: LIVE })],
      }),
      makeTick(2, { instrument: "XAG-USD-SPOT", price: "54.321987" }),
      makeTick(2, { instrument: "HG-USD-SPOT", price: "6.54321" }),
    ],
    bars: forming,
    settlements: [makeSettlement({ settlementDate: "2026-11-20", price: "4321.95", observedAtMs: FRIDAY_MS })],
  });
  await app.publishDealers(makeDealerTick(1, { sell: "512.3456" }));
  await app.publishSurfaces(makeSurfaces());
};

test("shows no live figure to Free and keyless callers: no route, door, status, header or refusal", async () => {
  const before = figuresOf(await readAll(top));
  await publishLive();
  const paid = await readAll(top);
  const live = [...figuresOf(paid)].filter((figure) => !before.has(figure));
  // Paid callers must see enough of them at every door, or this test would prove nothing.
  expect(live).toContain("4321.99");
  expect(live.length).toBeGreaterThan(50);
  for (const door of [
    "GET /v1/",
    "POST /v1/quotes",
    "GET /trpc/",
    "POST /trpc/quotes",
    "GET /udf/",
    "POST /mcp",
    ...Object.keys(FORMATS).map((format) => `format=${format}`),
  ]) {
    // Price directives leave out the forming bar: nothing in them is live.
    if (door === "format=beancount" || door === "format=ledger") continue;
    const shown = figuresOf(paid.filter((answer) => answer.slice(0, answer.indexOf("\n")).includes(door)));
    expect(live.filter((figure) => shown.has(figure)).length, door).toBeGreaterThan(0);
  }

  for (const [who, key] of [
    ["without a key", undefined],
    ["with a free key", free],
  ] as const) {
    const answers = await readAll(key);
    console.info(`live figures: ${live.length} looked for in ${answers.length} answers ${who}`);
    for (const answer of answers) {
      const question = answer.slice(0, answer.indexOf("\n"));
      const shown = figuresIn(answer.slice(question.length));
      expect(
        live.filter((figure) => shown.has(figure)),
        `${who}: ${question}`,
      ).toEqual([]);
      expect(answer.includes(LIVE_DIGITS), `${who}: ${question}`).toBe(false);
    }
  }

  // 15 minutes later they are shown: so the requests do reach them.
  app.clock.advance(DELAY_MS);
  const shown = figuresOf(await readAll(free));
  expect(live.filter((figure) => shown.has(figure)).length).toBeGreaterThan(10);
});
