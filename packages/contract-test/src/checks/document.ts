/** Compares the deployment's OpenAPI document with the contract: no route, method or parameter missing or extra. */
import { pages, streams, VERSION } from "@assay/contract";
import { operationFaults } from "../document/compare.ts";
import { type OpenApiDocument, openApiDocument, operationsOf } from "../document/openapi.ts";
import type { RouteTrial } from "../route-trial.ts";
import { namedRoutes, SERVICE } from "../routes.ts";
import type { RunContext } from "../run-context.ts";
import { KEYLESS } from "../wire/caller.ts";
import { type Exchange, NotChecked } from "../wire/exchange.ts";

/** The document's path. */
const PATH = "/openapi.json";

/** A parsed document; null when it is not JSON of the expected shape. */
export interface ReadDocument {
  readonly exchange: Exchange;
  readonly document: OpenApiDocument | null;
}

const SAYS = "the document describes every route of the contract as it is";

/** Reads the document; checks that it is valid, has the contract's version, and describes no route beyond the contract. */
export const readDocument = async (run: RunContext): Promise<ReadDocument> => {
  const exchange = await run.service.path(PATH, { caller: KEYLESS });
  const parsed = openApiDocument.safeParse(exchange.json);
  const document = exchange.status === 200 && parsed.success ? parsed.data : null;
  await run.recorder.check(SERVICE, "document", "OpenAPI", async (tell) => {
    if (!document) return tell(`${PATH} is not an OpenAPI document`, SAYS, exchange);
    const { version } = document.info;
    if (version !== VERSION) tell(`its version is ${version}, the contract's is ${VERSION}`, SAYS, exchange);
    const routes = [...namedRoutes({ ...run.contract, ...pages }).map(({ route }) => route), ...Object.values(streams)];
    const known = new Set(routes.map((route) => `${route.method} ${route.path}`));
    for (const name of operationsOf(document).keys()) {
      if (!known.has(name)) tell(`it describes ${name}, which is not in the contract`, SAYS, exchange);
    }
  });
  return { exchange, document };
};

/** Checks a route's entry in the document. */
export const checkDocument = (trial: RouteTrial, { document, exchange }: ReadDocument): Promise<void> =>
  trial.check("document", "OpenAPI", async (tell) => {
    if (!document) throw new NotChecked("there is no OpenAPI document");
    const { route } = trial;
    const operation = operationsOf(document).get(`${route.method} ${route.path}`);
    if (!operation) return tell("the route is not described", SAYS, exchange);
    for (const fault of operationFaults(route, operation)) tell(fault, SAYS, exchange);
  });
