/** Figures that are well formed and not true: older than they say, not of their sources, not of their rate, not of their number. */
import { formatTimestamp } from "@assay/contract";
import { answer, type Body, type BrokenWay, body, field } from "./broken-way.ts";

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
const late = (...types: readonly string[]): BrokenWay["breakage"] =>
  answer((answered, { path }) => {
    const kind = answered.headers["content-type"] ?? "";
    if (answered.status !== 200 || path === "/v1/status" || !types.some((type) => kind.startsWith(type))) return;
    answered.body = kind === "application/jose" ? olderReceipt(answered.body) : older(answered.body);
  });

const sources = (change: (listed: Body[]) => void): BrokenWay["breakage"] =>
  body(({ sources: listed }) => {
    if (Array.isArray(listed)) change(listed);
  });

const isSnapshot = (text: string): boolean => text.includes('"snapshot":true');

const BEGINS = "invariants: a stream of XAU-USD-SPOT begins with the price of spot";

export const BROKEN_TRUTHS: readonly BrokenWay[] = [
  {
    what: "a price that its sources do not make",
    only: "spot.get",
    caughtBy: "responses: sources add up",
    breakage: sources(([first]) => {
      if (first) Object.assign(first, { price: "1.00" });
    }),
  },
  {
    what: "a source refused by no rule",
    only: "spot.get",
    caughtBy: "responses: sources add up",
    breakage: sources((listed) => Object.assign(listed.at(-1) ?? {}, { verdict: "refused", rule: undefined })),
  },
  {
    what: "a rate that a price was not made with",
    only: "spot.get",
    caughtBy: "invariants: a price in a currency is a price × fx_rate",
    also: ["invariants", "responses"],
    breakage: field("fx_rate", ({ fx_rate: rate, quote_currency: currency, sources: listed }) =>
      currency !== "USD" && listed ? "1.5" : rate,
    ),
  },
  {
    what: "prices hours old, called fresh, in every format",
    only: "spot.get",
    caughtBy: "responses: freshness",
    breakage: late("application/json", "application/jose"),
  },
  {
    what: "a table hours old, called fresh, as the JSON beside it",
    only: "prices.list",
    caughtBy: "responses: freshness",
    breakage: late("application/json", "text/csv"),
  },
  {
    what: "a conversion hours old, called fresh",
    only: "convert.get",
    caughtBy: "responses: freshness",
    breakage: late("application/json", "application/jose"),
  },
  {
    what: "receipts alone hours old",
    only: "carat.get",
    caughtBy: "responses: freshness",
    also: ["invariants"],
    breakage: late("application/jose"),
  },
  {
    what: "a bare figure of another hour",
    only: "spot.get",
    caughtBy: "invariants: text has the same content as JSON",
    breakage: answer((answered) => {
      if (answered.headers["content-type"]?.startsWith("text/plain")) answered.body = answered.body.replace(/^\d/, "7");
    }),
  },
  {
    what: "a stream hours late",
    only: "streams.prices",
    caughtBy: BEGINS,
    also: ["invariants", "responses"],
    breakage: late("text/event-stream"),
  },
  {
    what: "ticks that come late after the first",
    only: "streams.prices",
    caughtBy: "responses: live ticks",
    also: ["invariants"],
    breakage: answer((answered) => {
      const isStream = answered.headers["content-type"]?.startsWith("text/event-stream");
      if (isStream && !isSnapshot(answered.body)) answered.body = older(answered.body);
    }),
  },
  {
    what: "a WebSocket hours late",
    only: "streams.prices",
    caughtBy: "invariants: a WebSocket of XAU-USD-SPOT begins with the price of spot",
    also: ["invariants"],
    breakage: () => ({ frame: older }),
  },
  {
    what: "a count that is off by one",
    only: "bars.list",
    caughtBy: "responses: count",
    breakage: field("meta", ({ meta }) => {
      const { count, ...rest } = (meta ?? {}) as Body; // the route's own field
      return typeof count === "number" ? { ...rest, count: count + 1 } : meta;
    }),
  },
];
