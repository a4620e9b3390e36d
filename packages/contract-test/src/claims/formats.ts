/** The other forms of an answer: each says what the JSON answer of the same moment says, is chosen and counted alike. */
import { FORMATS, type Format, formatEntry, formatsOf, isVersioned, noFigure, parseJson, type Route } from "@assay/contract";
import { faultsOf } from "../rules/strict-schema.ts";
import type { Caller } from "../wire/caller.ts";
import { type Exchange, fieldsOf, NotChecked, windowsOf } from "../wire/exchange.ts";
import { PRIORITY } from "../wire/service.ts";
import type { Attempt, Claim, Family } from "./claim.ts";
import { hasFigure, receiptPart, saysTheSame } from "./format-figures.ts";
import { meteredCalls } from "./limits.ts";
import type { Expectation } from "./outcomes.ts";

/** Prices change about every second, and three requests take far less. */
const TRIES = 8;

interface Ask {
  readonly caller?: Caller;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected?: Expectation;
}

/** Asks for a format, or `json`. @throws NotChecked when it is not answered, which is reported */
const ask = async (it: Attempt, format: Format | "json", { expected = "success", ...how }: Ask = {}): Promise<Exchange> => {
  const caller = how.caller ?? (await it.trial.main());
  const input = { ...(await it.trial.sample(caller)), format };
  const exchange = await it.ask({ ...how, caller, input, priority: PRIORITY.invariant });
  if (it.expect(exchange, expected, `${format} is one of the route's formats`)) return exchange;
  throw new NotChecked(`${format} was not answered`);
};

/** A receipt names its key, the request and the route. Signatures are the verifier's. */
const receiptFaults = (route: Route, { text, headers }: Exchange): string[] => {
  const [header, claims] = [fieldsOf(parseJson(receiptPart(text, 0))), fieldsOf(parseJson(receiptPart(text, 1)))];
  const isKey = header.alg === "EdDSA" && typeof header.kid === "string" && /^[\w-]{43}$/.test(header.kid);
  return [
    ...faultsOf(route.output, claims.body).map((fault) => `body: ${fault}`),
    ...(isKey && Object.keys(header).length === 2 ? [] : ["the header is not that of an EdDSA key"]),
    ...(claims.request_id === headers.get("x-request-id") ? [] : ["request_id differs from the X-Request-Id header"]),
    ...(claims.route === `${route.method} ${route.path}` ? [] : [`route is not ${route.method} ${route.path}`]),
    ...(typeof claims.iss === "string" && typeof claims.iat === "number" ? [] : ["iss or iat is missing"]),
  ];
};

const sameContent = (format: Format): Claim => ({
  group: "invariants",
  title: format === "jws" ? "a receipt contains the response" : `${format} has the same content as JSON`,
  why: formatEntry(format).summary,
  check: async (it) => {
    const { route } = it;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const before = await ask(it, "json");
      if (JSON.stringify(before.json) !== before.text) it.fault("JSON that is parsed and written again is another", before);
      const hasOne = hasFigure(route, format, before.json);
      const exchange = await ask(it, format, { expected: hasOne ? "success" : { code: noFigure(route, format).code } });
      if (!hasOne) return;
      if (format === "jws")
        it.faults(receiptFaults(route, exchange), exchange, "a receipt names its key, the request and the route");
      const after = await ask(it, "json");
      if (it.world.isLab && exchange.text === "") it.fault("it says nothing", exchange);
      if ([before, after].some((json) => saysTheSame(route, format, json, exchange.text))) return;
      // Prices that moved and moved back make the same figures; the whole answer says when they were computed.
      if (after.text === before.text) return it.fault(`${format} differs from the JSON answer`, exchange);
    }
    throw new NotChecked("the response changed between the two requests every time");
  },
});

/** What a laboratory sees of one format: nothing else runs between two requests, and nobody else is counted. */
const counted = (format: Format): Claim => ({
  group: "access",
  title: `limits of ${format}`,
  why: "a format counts against the limits of JSON, and as much",
  check: async (it) => {
    const { access } = it.route;
    const caller = access.auth === "none" ? undefined : await it.world.lab?.mint(access.tier);
    const how = { headers: it.world.lab?.freshAddress() ?? {}, ...(caller ? { caller } : {}) };
    const before = windowsOf(await ask(it, "json", how));
    const exchange = await ask(it, format, how);
    const after = windowsOf(exchange);
    for (const [name, { remaining }] of before) {
      const cost = name === "month" && !access.metered ? 0 : 1;
      const left = after.get(name)?.remaining;
      if (left !== remaining - cost) it.fault(`the ${name} has ${left} remaining after ${remaining}`, exchange);
    }
    if (after.size !== before.size) it.fault("it is counted in other windows", exchange);
    const calls = caller ? await meteredCalls(it, caller) : 0;
    if (calls !== (caller && access.metered ? 2 : 0)) it.fault(`${calls} calls are metered`, exchange);
  },
});

const variesByAccept = ({ headers }: Exchange): boolean => (headers.get("vary") ?? "").split(", ").includes("Accept");

const accepted = (format: Format, accept: string): Claim => ({
  group: "HTTP",
  title: `Accept: ${accept}`,
  why: "a format is chosen by the Accept header too, and by the parameter before it; Vary says which",
  check: async (it) => {
    const caller = await it.trial.main();
    const asking = async (header: string, name: string, wanted: Format | "json", byHeader: boolean): Promise<Exchange> => {
      const exchange = await it.ask({ caller, headers: { accept: header }, extraQuery: name === "" ? "" : `format=${name}` });
      const type = wanted === "json" ? "application/json" : formatEntry(wanted).contentType;
      const kind = exchange.headers.get("content-type");
      if (kind !== type) it.fault(`the content type is ${kind}, not ${type}`, exchange);
      if (variesByAccept(exchange) !== byHeader) it.fault(byHeader ? "Vary does not name Accept" : "Vary names Accept", exchange);
      return exchange;
    };
    const byHeader = await asking(accept, "", format, true);
    const byParameter = await asking("application/json", format, format, false);
    // A receipt holds the id of its request.
    if (format !== "jws" && byParameter.text !== byHeader.text) it.fault("the two differ", byParameter);
    await asking(accept, "json", "json", false);
    for (const other of ["*/*", "application/xml", `${accept};q=0`, "text/html, */*;q=0.8"])
      await asking(other, "", "json", true);
  },
});

const others = (formats: readonly Format[]): Claim => ({
  group: "HTTP",
  title: "other formats",
  why: "every route has json; a format it does not have is refused, and its own are named",
  check: async (it) => {
    it.expect(await it.ask({ extraQuery: "format=json" }), it.plain);
    const own = ["json", ...formats];
    const message = `must be ${own.length > 1 ? "one of " : ""}${own.join(", ")}`;
    const foreign = Object.keys(FORMATS).filter((name) => !formats.some((format) => format === name));
    for (const other of [...foreign, "xml", "CSV", "json,csv", ""]) {
      const exchange = await it.ask({ extraQuery: `format=${other}` });
      if (!it.expect(exchange, { code: "validation_error" })) continue;
      const { issues } = fieldsOf(exchange.json);
      const [issue] = Array.isArray(issues) ? issues.map(fieldsOf) : [];
      const says = `${String(issue?.path)}: ${String(issue?.message)}`;
      if (says !== `query,format: ${message}`) it.fault(`issues say ${says}`, exchange);
    }
  },
});

/** Every format of a route, and those it does not have. */
export const formatClaims: Family = (route, { isLab }) => {
  const formats = formatsOf(route);
  const inLab = (format: Format): Claim[] => {
    const { accept } = formatEntry(format);
    return [counted(format), ...(accept === undefined ? [] : [accepted(format, accept)])];
  };
  return [
    ...formats.flatMap((format) => [sameContent(format), ...(isLab ? inLab(format) : [])]),
    ...(isLab && isVersioned(route) ? [others(formats)] : []),
  ];
};
