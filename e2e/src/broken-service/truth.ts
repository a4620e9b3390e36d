/** Answers that are well formed and not true: of each other, of their sources, of their rate, of their number, of their time. */
import { formatTimestamp } from "@assay/contract";
import type { ProxiedRequest } from "./breaking-proxy.ts";
import { answer, type Body, type BrokenWay, body, field, isKeyless, type Make, query } from "./broken-way.ts";

/** Changes a list of the route's own. */
const list = (name: string, change: (rows: Body[], request: ProxiedRequest) => Body[]): Make =>
  field(name, ({ [name]: rows }, request) => (Array.isArray(rows) ? change(rows, request) : rows));

/** Sets a field of each row of a list that has it. */
const each = (name: string, fieldName: string, next: (row: Body) => unknown): Make =>
  list(name, (all) => all.map((row) => (fieldName in row ? { ...row, [fieldName]: next(row) } : row)));

const rows = (change: (rows: Body[], request: ProxiedRequest) => Body[]): Make => list("bars", change);

const queryOf = (path: string): URLSearchParams => new URL(path, "http://service").searchParams;

const isLaterPage = ({ path }: ProxiedRequest): boolean => queryOf(path).has("cursor");

const JOINED = "invariants: joined pages equal the whole window";

export const BROKEN_INVARIANTS: readonly BrokenWay[] = [
  [
    "pages that skip a row",
    "bars.list",
    JOINED,
    rows((all, request) => (isLaterPage(request) ? all.slice(1) : all)),
    ...(["responses", "invariants"] as const),
  ],
  [
    "pages that repeat a row",
    "bars.list",
    JOINED,
    rows((all, request) => (isLaterPage(request) ? [...all.slice(0, 1), ...all] : all)),
    ...(["responses", "invariants"] as const),
  ],
  [
    "an order nobody heeds",
    "bars.list",
    "invariants: oldest first is the same list",
    query((it) => it.delete("order")),
    ...(["invalid input", "responses"] as const),
  ],
  ["oldest first", "bars.list", "responses: rows in order", rows((all) => all.toReversed()), "invariants"],
  [
    "settlements oldest first",
    "settlements.list",
    "responses: rows in order",
    list("settlements", (all) => all.toReversed()),
    "invariants",
  ],
  [
    "a cursor that leads to itself",
    "bars.list",
    JOINED,
    field("next_cursor", ({ next_cursor: next }, { path }) => queryOf(path).get("cursor") ?? next),
    ...(["invariants", "responses"] as const),
  ],
  [
    "CSV without its last row",
    "settlements.list",
    "invariants: csv has the same content as JSON",
    answer((answered) => {
      if (answered.headers["content-type"]?.startsWith("text/csv")) answered.body = answered.body.replace(/[^\n]*\n$/, "");
    }),
  ],
  [
    "cursors nobody checks",
    "bars.list",
    "invariants: a cursor works only for its own query",
    query((it) => it.delete("cursor")),
    ...(["invalid input", "invariants"] as const),
  ],
  [
    "a high below its low",
    "bars.list",
    "responses: figures agree",
    rows((all) => all.map((row) => ({ ...row, high: row.low, low: row.high }))),
    "invariants",
  ],
  [
    "a row that is not the list's",
    "spot.get",
    "invariants: the row of XAU-USD-SPOT equals the one in the list",
    field("ask", ({ ask, price }, { path }) => (path.startsWith("/v1/spot") ? price : ask)),
    "invariants",
  ],
  [
    "a rate that does not lead back",
    "convert.get",
    "invariants: USD to INR and back is 1",
    field("rate", ({ from, rate }) => (from === "INR" ? "0.0003" : rate)),
    "responses",
  ],
  [
    "a result rounded down",
    "convert.get",
    "responses: figures are made of those beside them",
    field("result", ({ result }) => result && String(result).replace(/\..*/, ".00")),
    "invariants",
  ],
  [
    "karat prices of another purity",
    "carat.get",
    "responses: price × rate",
    field("price_gram_18k", ({ price_gram_20k: other }) => other),
    "invariants",
  ],
];

const HOURS_MS = 3 * 3_600_000;

/** A text with every instant in it some hours earlier. */
const older = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (at) => formatTimestamp(Date.parse(at) - HOURS_MS));

const olderReceipt = (receipt: string): string => {
  const [header = "", claims = "", signature = ""] = receipt.split(".");
  const said = Buffer.from(claims, "base64url").toString("utf8");
  return [header, Buffer.from(older(said)).toString("base64url"), signature].join(".");
};

/** Successes of some content types, some hours older than they were; the status says what time it is. */
const late = (...types: readonly string[]): Make =>
  answer((answered, { path }) => {
    const kind = answered.headers["content-type"] ?? "";
    if (answered.status !== 200 || path === "/v1/status" || !types.some((type) => kind.startsWith(type))) return;
    answered.body = kind === "application/jose" ? olderReceipt(answered.body) : older(answered.body);
  });

const sources = (change: (listed: Body[]) => void): Make =>
  body(({ sources: listed }) => {
    if (Array.isArray(listed)) change(listed);
  });

const stream = (change: (text: string) => string): Make =>
  answer((answered) => {
    if (answered.headers["content-type"]?.startsWith("text/event-stream")) answered.body = change(answered.body);
  });

/** One of three live ticks is dropped. */
const isDropped = (text: string): boolean => !text.includes('"snapshot":true') && Number(/"seq":(\d+)/.exec(text)?.[1]) % 3 === 0;

const shifted = (at: unknown, ms: number): unknown => at && formatTimestamp(Date.parse(String(at)) + ms);

const MADE = "responses: figures are made of those beside them";
const BEGINS = "invariants: a stream of XAU-USD-SPOT begins with the price of spot";

export const BROKEN_TRUTHS: readonly BrokenWay[] = [
  [
    "a price that its sources do not make",
    "spot.get",
    "responses: sources add up",
    sources(([first]) => Object.assign(first ?? {}, { price: "1.00" })),
  ],
  [
    "a source refused by no rule",
    "spot.get",
    "responses: sources add up",
    sources((listed) => Object.assign(listed.at(-1) ?? {}, { verdict: "refused", rule: undefined })),
  ],
  [
    "a rate that a price was not made with",
    "spot.get",
    "invariants: a price in a currency is a price × fx_rate",
    field("fx_rate", ({ fx_rate: rate, quote_currency: currency, sources: listed }) =>
      currency !== "USD" && listed ? "1.5" : rate,
    ),
    ...(["invariants", "responses"] as const),
  ],
  [
    "prices hours old, called fresh, in every format",
    "spot.get",
    "responses: freshness",
    late("application/json", "application/jose"),
  ],
  [
    "a table hours old, called fresh, as the JSON beside it",
    "prices.list",
    "responses: freshness",
    late("application/json", "text/csv"),
  ],
  ["a conversion hours old, called fresh", "convert.get", "responses: freshness", late("application/json", "application/jose")],
  ["receipts alone hours old", "carat.get", "responses: freshness", late("application/jose"), "invariants"],
  [
    "a bare figure of another hour",
    "spot.get",
    "invariants: text has the same content as JSON",
    answer((answered) => {
      if (answered.headers["content-type"]?.startsWith("text/plain")) answered.body = answered.body.replace(/^\d/, "7");
    }),
  ],
  ["a stream hours late", "streams.prices", BEGINS, late("text/event-stream"), "invariants", "responses"],
  [
    "ticks that come late after the first",
    "streams.prices",
    "responses: live ticks",
    stream((text) => (text.includes('"snapshot":true') ? text : older(text))),
    "invariants",
  ],
  [
    "a WebSocket hours late",
    "streams.prices",
    "invariants: a WebSocket of XAU-USD-SPOT begins with the price of spot",
    () => ({ frame: older }),
    "invariants",
  ],
  [
    "a count that is off by one",
    "bars.list",
    "responses: count",
    field("meta", ({ meta }) => {
      const { count, ...rest } = (meta ?? {}) as Body; // the route's own field
      return typeof count === "number" ? { ...rest, count: count + 1 } : meta;
    }),
  ],
  ["a volume of spot", "bars.list", "responses: volume", each("bars", "volume", ({ volume }) => volume ?? "0"), "invariants"],
  ["a ratio that is no quotient", "ratios.list", MADE, each("points", "ratio", () => "80.0000"), "invariants"],
  [
    "a change that is no difference",
    "settlements.list",
    MADE,
    each("settlements", "change_value", ({ change_value: change }) => change && "777.00"),
    "invariants",
  ],
  [
    "a median above most of what it is of",
    "sources.list",
    "responses: figures agree",
    each("sources", "deviation_bps", () => ({ median: 9.9, p99: 1.1 })),
    "invariants",
  ],
  [
    "a range that the sources do not have",
    "spot.get",
    "responses: sources add up",
    field("divergence_bps", ({ divergence_bps: bps }) => (bps === undefined ? bps : Number(bps) + 5)),
  ],
  [
    "more bars than a day has",
    "quality.list",
    "responses: figures agree",
    each("days", "bars", ({ bars }) => ({ ...(bars as Body), present: 99_999 })), // the row's own field
    "invariants",
  ],
  [
    "a price of the next hour",
    "convert.get",
    "responses: not from the future",
    field("timestamp", ({ timestamp }) => shifted(timestamp, 3_600_000)),
    ...(["invariants", "responses"] as const),
  ],
  [
    "a delay that is a second too short",
    "spot.get",
    "responses: 15-minute delay",
    field("computed_at", ({ computed_at: at }, request) => (isKeyless(request) ? shifted(at, 1_000) : at)),
  ],
  [
    "a stale price called fresh",
    "spot.get",
    "responses: a stale price says why",
    body((row) => {
      if ("is_stale" in row) row.stale_reason = "feed_down";
    }),
    "invariants",
  ],
  [
    "a stream that drops ticks",
    "streams.prices",
    "responses: ticks in sequence",
    stream((text) => (isDropped(text) ? "" : text)),
    "invariants",
  ],
  [
    "a WebSocket that drops ticks",
    "streams.prices",
    "invariants: a WebSocket of XAU-USD-SPOT begins with the price of spot",
    () => ({ frame: (text) => (isDropped(text) ? null : text) }),
    "invariants",
  ],
];
