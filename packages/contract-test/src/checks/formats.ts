/** Other forms of an answer: each holds what the JSON answer of the same moment holds. */
import { type Format, formatEntry, formatsOf, formatWriter, type TextFormat } from "@assay/contract";
import { faultsOf } from "@assay/testkit/wire";
import { expectAnswer } from "../expectation.ts";
import type { Tell } from "../report/recorder.ts";
import type { RouteTrial } from "../route-trial.ts";
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";

/** Prices change about every second, and three requests take far less. */
const TRIES = 8;

const decoded = (part: string): unknown => {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
};

const ask = async (tell: Tell, trial: RouteTrial, format: Format | "json"): Promise<Exchange> => {
  const exchange = await trial.ask({ input: { ...trial.sample(), format }, priority: PRIORITY.invariant });
  if (expectAnswer(tell, trial.route, exchange, "success", `${format} is one of the route's formats`)) return exchange;
  throw new NotChecked(`${format} was not answered`);
};

const checkFormat = (trial: RouteTrial, format: TextFormat): Promise<void> =>
  trial.check("invariants", `${format} has the same content as JSON`, async (tell) => {
    const write = formatWriter(trial.route, format);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const before = await ask(tell, trial, "json");
      const exchange = await ask(tell, trial, format);
      const after = await ask(tell, trial, "json");
      const wanted = write(before.json);
      if (write(after.json) !== wanted) continue;
      if (exchange.text === wanted) return;
      return tell(`${format} differs from the JSON answer`, `${formatEntry(format).summary}: ${wanted.slice(0, 200)}`, exchange);
    }
    throw new NotChecked("the response changed between the two requests every time");
  });

/** A receipt says what the route answers, and its key is one of those the service publishes. Signatures are the verifier's. */
const checkReceipt = (trial: RouteTrial): Promise<void> =>
  trial.check("invariants", "a receipt contains the response", async (tell) => {
    const exchange = await ask(tell, trial, "jws");
    const [header, claims] = exchange.text.split(".", 2).map((part) => fieldsOf(decoded(part)));
    const faults = faultsOf(trial.route.output, claims?.body);
    for (const fault of faults) tell(`body: ${fault}`, "the claim body is the JSON response", exchange);
    const says = "a receipt names its key, the request and the route";
    if (header?.alg !== "EdDSA" || typeof header.kid !== "string") tell("the header names no EdDSA key", says, exchange);
    if (claims?.request_id !== exchange.headers.get("x-request-id"))
      tell("request_id differs from the X-Request-Id header", says, exchange);
    const name = `${trial.route.method} ${trial.route.path}`;
    if (claims?.route !== name) tell(`route is not ${name}`, says, exchange);
    if (typeof claims?.iss !== "string" || typeof claims.iat !== "number") tell("iss or iat is missing", says, exchange);
  });

/** Checks every format of a route. */
export const checkFormats = async (trial: RouteTrial): Promise<void> => {
  for (const format of formatsOf(trial.route)) {
    if (format === "jws") await checkReceipt(trial);
    else await checkFormat(trial, format);
  }
};
