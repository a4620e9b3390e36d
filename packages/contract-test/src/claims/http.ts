/** HTTP semantics: HEAD, other methods, undeclared parameters and bodies, conditional requests, request ids, unknown paths. */
import { type Contract, contract, errorCodesOf, formatsOf, maxBodyBytes, type Route, takesBody } from "@assay/contract";
import { parametersOf, requestBody } from "../inputs/parameters.ts";
import { namedRoutes } from "../routes.ts";
import { requestId } from "../rules/headers.ts";
import { type Exchange, fieldsOf, issuePaths } from "../wire/exchange.ts";
import type { Attempt, Claim, Family } from "./claim.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Those tried where every request counts; the second is a browser's preflight. */
const OTHER_METHODS = ["PUT", "OPTIONS"];

/** The methods a path accepts, as listed in `Allow`. */
const methodsOf = (contract: Contract, path: string): string[] => {
  const methods: string[] = namedRoutes(contract)
    .filter(({ route }) => route.path === path)
    .map(({ route }) => route.method);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].sort();
};

const otherMethods: Claim = {
  group: "HTTP",
  title: "other methods",
  why: "a method that the path does not support is refused, and Allow lists those it does",
  check: async (it) => {
    const allowed = methodsOf(it.world.contract, it.route.path);
    for (const method of (it.world.isLab ? METHODS : OTHER_METHODS).filter((each) => !allowed.includes(each))) {
      const exchange = await it.ask({ method, caller: it.keyless });
      it.expect(exchange, { code: "method_not_allowed" }, `the path supports ${allowed.join(", ")}`);
      const allow = exchange.headers.get("allow");
      const listed = (allow ?? "").split(",").map((each) => each.trim());
      if (listed.toSorted().join() !== allowed.join())
        it.fault(`Allow is ${allow ?? "missing"}`, exchange, `Allow: ${allowed.join(", ")}`);
    }
  },
};

/** Headers HEAD answers like GET. */
const SAME = ["content-type", "cache-control", "x-ratelimit-limit", "ratelimit-policy", "deprecation", "link"];
/** Those of the content, which may change between two requests. */
const OF_CONTENT = ["content-length", "content-encoding", "vary", "etag"];

/** The seconds of max-age decrease between the two. */
const steady = (value: string | null): string | null => value?.replace(/max-age=\d+/, "max-age") ?? null;

const compareHead = async (it: Attempt, extraQuery: string): Promise<void> => {
  const how = { caller: await it.trial.main(), extraQuery };
  const get = await it.ask(how);
  if (!it.expect(get, it.plain, "HEAD is compared with it")) return;
  const head = await it.ask({ ...how, method: "HEAD" });
  if (head.status !== get.status) it.fault(`HEAD answered ${head.status}, GET ${get.status}`, head);
  // Each request has a receipt of its own.
  const ofContent = it.world.isLab && !extraQuery.includes("jws") ? OF_CONTENT : [];
  for (const name of [...SAME, ...ofContent]) {
    const [one, other] = [steady(head.headers.get(name)), steady(get.headers.get(name))];
    if (one !== other) it.fault(`${name} is ${one ?? "missing"} on HEAD and ${other ?? "missing"} on GET`, head);
  }
};

const head: Claim = {
  group: "HTTP",
  title: "HEAD",
  why: "HEAD answers as GET does, without the body",
  check: async (it) => {
    const formats = it.world.isLab ? formatsOf(it.route) : [];
    for (const query of ["", ...formats.map((format) => `format=${format}`)]) await compareHead(it, query);
  },
};

/** The parameters or fields that a refusal says the route does not have, each once. */
const unrecognized = ({ json }: Exchange): string[] => {
  const { issues } = fieldsOf(json);
  const named = (Array.isArray(issues) ? issues : []).map((issue) => fieldsOf(issue));
  return named.flatMap(({ path, code, message }) => {
    const [place, name] = Array.isArray(path) ? path.map(String) : [];
    return code === "unrecognized_parameter" && String(message).includes(name ?? "") ? [`${place} ${name}`] : [];
  });
};

const expectNamed = (it: Attempt, exchange: Exchange, names: readonly string[]): void => {
  if (!it.expect(exchange, { code: "validation_error" })) return;
  if (unrecognized(exchange).join() !== names.join())
    it.fault(`issues are ${JSON.stringify(fieldsOf(exchange.json).issues)}`, exchange);
};

const unknownParameters: Claim = {
  group: "HTTP",
  title: "unknown parameters",
  why: "a parameter the route does not have is refused, and issues name it, each once; one that begins with _ is ignored, and on health any",
  check: async (it) => {
    // A proxy may refuse what is no text.
    const [ignored, refused] = it.world.isLab ? ["&_%00=%FF", "&%00=%FF"] : ["", ""];
    const plain = await it.ask({ extraQuery: `_=1764061200&_=2&__proto__=1${ignored}` });
    it.expect(plain, it.plain, "names that begin with _ are ignored");
    // A page without parameters is the same whatever is asked of it.
    if (!errorCodesOf(it.route).includes("validation_error")) return;
    const exchange = await it.ask({ extraQuery: `no_such=1&no_such=2&constructor=x${refused}` });
    if (it.route.ignoresUnknown) return void it.expect(exchange, it.plain, "it ignores parameters");
    expectNamed(it, exchange, ["query no_such", "query constructor", ...(refused === "" ? [] : ["query \u0000"])]);
  },
};

const NO_OBJECTS = ["{", "[]", '"text"', "5", "null", "name=ci", "\u0000", '{"a":1}}'];

/** Makes the route's minimal request with another body, by a caller of its own: what it names belongs to the caller. */
const askWith = async (it: Attempt, rewrite: (body: object) => string): Promise<Exchange> => {
  const caller = await it.trial.main();
  const input = await it.trial.sample(caller);
  return it.ask({ caller, input, rawBody: rewrite(JSON.parse(requestBody(it.route, input) ?? "{}")) });
};

const bodies: Claim = {
  group: "HTTP",
  title: "bodies",
  why: "fields that begin with _ are ignored, others refused by name; what is missing is named, and what is no object refused",
  check: async (it) => {
    const asked = (more: object) => askWith(it, (body) => JSON.stringify({ ...body, ...more }));
    const required = parametersOf(it.route).filter(({ location, isRequired }) => location === "body" && isRequired);
    const without = await it.ask({ rawBody: "" });
    if (required.length === 0) it.expect(without, it.plain);
    else if (it.expect(without, { code: "validation_error" })) {
      const wanted = required.map(({ name }) => `body ${name}`).join();
      if (issuePaths(without).join() !== wanted) it.fault(`issues name ${issuePaths(without).join()}`, without);
    }
    it.expect(await asked({ _comment: 1 }), it.plain);
    expectNamed(it, await asked({ no_such: 1, constructor: {} }), ["body no_such", "body constructor"]);
    for (const rawBody of NO_OBJECTS) it.expect(await it.ask({ rawBody }), { code: "validation_error" });
  },
};

const bodySize: Claim = {
  group: "HTTP",
  title: "size of a body",
  why: "a body of the size that the route declares is read, and a larger one refused",
  check: async (it) => {
    const most = maxBodyBytes(it.route);
    const sized = (bytes: number) =>
      askWith(it, (body) => {
        const text = JSON.stringify(body);
        return `${text}${" ".repeat(bytes - Buffer.byteLength(text))}`;
      });
    it.expect(await sized(most), it.plain);
    const refused = await sized(most + 1);
    const message = `The body is larger than ${most / 1_024} KiB.`;
    if (it.expect(refused, { code: "payload_too_large" }) && fieldsOf(refused.json).message !== message)
      it.fault(`the message is not: ${message}`, refused);
  },
};

const conditional: Claim = {
  group: "HTTP",
  title: "conditional requests",
  why: "a request that names the current ETag gets 304, one that names another the answer; each format has its own",
  check: async (it) => {
    const caller = await it.trial.main();
    const formats = it.world.isLab && it.route.success.isValidated ? formatsOf(it.route) : [];
    const tags = new Map([["of-another", '"of-another"']]);
    const asked = (format: string, tag?: string) =>
      it.ask({ caller, extraQuery: format, ...(tag === undefined ? {} : { headers: { "if-none-match": tag } }) });
    for (const format of ["", ...formats.map((each) => `format=${each}`)]) {
      const first = await asked(format);
      if (!it.expect(first, it.plain, "its ETag is needed for the next request")) return;
      const etag = first.headers.get("etag");
      if (etag === null) return;
      for (const other of tags.values()) it.expect(await asked(format, other), it.plain, "it is not the current ETag");
      const again = await asked(format, etag);
      // A changed validator is fine: the body changed too.
      if (again.status !== 304 && again.headers.get("etag") === etag) it.fault(`answered ${again.status} to its own ETag`, again);
      tags.set(format, etag);
    }
  },
};

/** Longer than any valid id, or with other characters. */
const NO_IDS = ["x".repeat(65), "two words", "a,b", "\u00e9", "<script>"];

/** The rule of ids judges each answer; that no two are the same takes several. */
const requestIds: Claim = {
  group: "HTTP",
  title: "request ids",
  why: "a well-formed id is echoed, any other is replaced, each by its own",
  check: async (it) => {
    for (const id of ["Az0._-", "x".repeat(64)]) await it.ask({ headers: { "x-request-id": id } });
    const made: (string | null)[] = [];
    for (const id of [undefined, "", ...NO_IDS])
      made.push((await it.ask({ headers: { "x-request-id": id } })).headers.get("x-request-id"));
    if (new Set(made).size !== made.length) it.fault(`the ids are ${made.join(", ")}`);
  },
};

/** A route's HTTP semantics. */
export const httpClaims: Family = ({ method }, { isLab }) => [
  otherMethods,
  ...(method === "GET" ? [head, conditional] : []),
  ...(method === "GET" || isLab ? [unknownParameters] : []),
  ...(isLab ? [requestIds] : []),
  ...(isLab && takesBody({ method }) ? [bodies, bodySize] : []),
];

/** The rules for unknown paths: those of a route that finds nothing. */
export const NOWHERE: Route = { ...contract.system.health, path: "/v1/no-such-path", errors: ["not_found"] };

const PATHS = ["/v1/no-such-path", "/v1", "/v1/", "/v2/prices", "/v1/prices/", "/v1//prices", "/%", "/v1/spot/%zz/x"];

/** Claims that belong to no route; they use no allowance. */
export const serviceClaims: readonly Claim[] = [
  {
    group: "HTTP",
    title: "unknown paths",
    why: "no route has this path",
    check: async (it) => {
      // A deployment has the console there.
      for (const path of it.world.isLab ? [...PATHS, "/"] : PATHS) {
        it.expect(await it.trial.askPath(path, { caller: it.keyless }), { code: "not_found" });
        for (const method of ["POST", "PATCH", "DELETE"]) {
          const request = { caller: it.keyless, method, ...(method === "DELETE" ? {} : { rawBody: "{}" }) };
          const exchange = await it.world.service.path(path, request);
          it.expect(exchange, { code: "not_found" });
          it.faults(it.trial.broken(exchange, [requestId]), exchange);
        }
      }
    },
  },
  requestIds,
];
