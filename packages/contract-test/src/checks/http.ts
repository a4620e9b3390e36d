/** HTTP semantics: HEAD, other methods, undeclared parameters, conditional requests. */
import type { Contract } from "@assay/contract";
import { expectAnswer, plainExpectation } from "../expectation.ts";
import type { RouteTrial } from "../route-trial.ts";
import { namedRoutes } from "../routes.ts";
import { KEYLESS } from "../wire/caller.ts";

/** Methods tried on paths that do not accept them; the second is a browser's preflight. */
const OTHER_METHODS = ["PUT", "OPTIONS"];

/** The methods a path accepts, as listed in `Allow`. */
const methodsOf = (contract: Contract, path: string): string[] => {
  const methods: string[] = namedRoutes(contract)
    .filter(({ route }) => route.path === path)
    .map(({ route }) => route.method);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].sort();
};

const checkOtherMethods = (trial: RouteTrial): Promise<void> =>
  trial.check("HTTP", "other methods", async (tell) => {
    const { route, run } = trial;
    const allowed = methodsOf(run.contract, route.path).join(", ");
    for (const method of OTHER_METHODS) {
      const exchange = await trial.ask({ method, caller: KEYLESS });
      expectAnswer(tell, route, exchange, { code: "method_not_allowed" }, `the path supports ${allowed}`);
      const told = exchange.headers.get("allow");
      const listed = (told ?? "").split(",").map((each) => each.trim());
      if (listed.toSorted().join(", ") !== allowed) tell(`Allow is ${told ?? "missing"}`, `Allow: ${allowed}`, exchange);
    }
  });

/** Headers HEAD answers like GET. */
const SAME = ["content-type", "cache-control", "x-ratelimit-limit", "ratelimit-policy", "deprecation", "link"];

/** The seconds of max-age decrease between the two. */
const steady = (value: string | null): string | null => value?.replace(/max-age=\d+/, "max-age") ?? null;

const checkHead = (trial: RouteTrial): Promise<void> =>
  trial.check("HTTP", "HEAD", async (tell) => {
    const get = await trial.ask();
    if (!expectAnswer(tell, trial.route, get, plainExpectation(trial.route), "HEAD is compared with it")) return;
    const head = await trial.ask({ method: "HEAD" });
    const says = "HEAD answers as GET does, without the body";
    if (head.status !== get.status) tell(`HEAD answered ${head.status}, GET ${get.status}`, says, head);
    for (const name of SAME) {
      const [one, other] = [steady(head.headers.get(name)), steady(get.headers.get(name))];
      if (one !== other) tell(`${name} is ${one ?? "missing"} on HEAD and ${other ?? "missing"} on GET`, says, head);
    }
  });

const checkUnknownParameters = (trial: RouteTrial): Promise<void> =>
  trial.check("HTTP", "unknown parameters", async (tell) => {
    const exchange = await trial.ask({ extraQuery: "no_such=1&no_such=2&__proto__=1" });
    expectAnswer(tell, trial.route, exchange, plainExpectation(trial.route), "unknown parameters are ignored");
  });

const checkConditional = (trial: RouteTrial): Promise<void> =>
  trial.check("HTTP", "conditional requests", async (tell) => {
    const first = await trial.ask();
    if (!expectAnswer(tell, trial.route, first, plainExpectation(trial.route), "its ETag is needed for the next request")) return;
    const etag = first.headers.get("etag");
    if (etag === null) return;
    const again = await trial.ask({ headers: { "if-none-match": etag } });
    // A changed validator is fine: the body changed too.
    if (again.status !== 304 && again.headers.get("etag") === etag) {
      tell(`answered ${again.status} to its own ETag`, "a request that names the current ETag gets 304", again);
    }
  });

/** Checks a route's HTTP semantics. */
export const checkHttp = async (trial: RouteTrial): Promise<void> => {
  await checkOtherMethods(trial);
  if (trial.route.method !== "GET") return;
  await checkHead(trial);
  await checkUnknownParameters(trial);
  await checkConditional(trial);
};
