/** Headers every answer must have, and those none may. */
import { codeOf, fieldsOf } from "../wire/exchange.ts";
import { isSuccess, type Rule } from "./rule.ts";

const FORBIDDEN = /^(access-control-.*|set-cookie|x-powered-by)$/;

const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;
/** Long enough not to be guessed. */
const MADE_ID = /^[A-Za-z0-9._-]{16,64}$/;

/** The id of the request is echoed, or made, in the header and in an error's body. */
export const requestId: Rule = {
  title: "request id",
  says: "a well-formed X-Request-Id is echoed in every response, any other replaced; it is request_id in an error's body",
  judge: ({ exchange }) => {
    const { "x-request-id": given = "" } = exchange.sent.headers;
    const echoed = exchange.headers.get("x-request-id");
    const isRight = WELL_FORMED.test(given) ? echoed === given : echoed !== null && echoed !== given && MADE_ID.test(echoed);
    const wrong = WELL_FORMED.test(given) ? "X-Request-Id is not the one sent" : `X-Request-Id is ${echoed}`;
    const faults = isRight ? [] : [echoed === null ? "there is no X-Request-Id" : wrong];
    const { request_id: inBody } = fieldsOf(exchange.json);
    if (codeOf(exchange) !== undefined && inBody !== echoed) faults.push("request_id in the body differs from the header");
    return faults;
  },
};

export const cacheControl: Rule = {
  title: "cache-control",
  says: "errors are no-store; responses have the route's own Cache-Control, and only those that are the same for everybody may be public",
  judge: (subject) => {
    const { route, exchange } = subject;
    const value = exchange.headers.get("cache-control");
    if (value === null) return ["there is no Cache-Control"];
    if (exchange.status === 304) return null;
    const wanted = route.success.cacheControl;
    if (!isSuccess(subject)) return /\bno-store\b/.test(value) ? [] : [`an error is cacheable: ${value}`];
    if (wanted !== undefined) return value === wanted ? [] : [`Cache-Control is ${value}, not ${wanted}`];
    if (route.access.auth === "none") return /^(no-store|public, max-age=\d+)/.test(value) ? [] : [`Cache-Control is ${value}`];
    return /\b(no-store|private)\b/.test(value) ? [] : [`a response of one caller may be cached for others: ${value}`];
  },
};

/** No CORS headers: browsers on other origins are never allowed. */
export const noCors: Rule = {
  title: "no CORS",
  says: "no response has CORS headers, cookies, or the name of the software",
  judge: ({ exchange }) => [...exchange.headers.keys()].filter((name) => FORBIDDEN.test(name)).map((name) => `there is ${name}`),
};

/** A 401 says how to authenticate. */
export const authenticate: Rule = {
  title: "WWW-Authenticate",
  says: "a 401 has WWW-Authenticate, no other response does",
  judge: ({ exchange, route }) => {
    if (route.access.auth === "none") return null;
    const isPresent = exchange.headers.has("www-authenticate");
    if (exchange.status === 401) return isPresent ? [] : ["a 401 without WWW-Authenticate"];
    return isPresent ? [`WWW-Authenticate on a ${exchange.status}`] : [];
  },
};

/** A deprecated route says so on success and when it refuses the tier. */
export const deprecation: Rule = {
  title: "deprecation headers",
  says: "success and plan_gated have Deprecation: true and a Link to the successor; Sunset is a date",
  judge: (subject) => {
    const { route, exchange } = subject;
    const saysSo = isSuccess(subject) || exchange.status === 403;
    if (route.successor === undefined || !saysSo) return null;
    const faults: string[] = [];
    const { headers } = exchange;
    if (headers.get("deprecation") !== "true") faults.push("there is no Deprecation: true");
    if (headers.get("link") !== `<${route.successor}>; rel="successor-version"`) faults.push("Link does not name the successor");
    const sunset = headers.get("sunset");
    if (sunset !== null && Number.isNaN(Date.parse(sunset))) faults.push(`Sunset is not a date: ${sunset}`);
    return faults;
  },
};
