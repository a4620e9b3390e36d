/** The contract and the pages as a tRPC router with its schemas, from which the OpenAPI document is generated. Never called. */
import { type Contract, contract, pages, type Route, requestSchema } from "@assay/contract";
import { initTRPC } from "@trpc/server";
import type { OpenApiMeta, OpenApiRouter } from "trpc-to-openapi";

const t = initTRPC.meta<OpenApiMeta>().create();

const metaOf = (route: Route): OpenApiMeta => ({
  openapi: {
    method: route.method,
    path: route.path,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    deprecated: route.successor !== undefined,
    protect: false,
    errorResponses: [],
  },
});

const procedureOf = (route: Route) => {
  // The generator puts every field of a POST's input into the body; `format` is added from the contract.
  const input = route.method === "POST" ? route.input : requestSchema(route);
  const procedure = t.procedure.meta(metaOf(route)).input(input).output(route.output);
  return route.method === "GET" ? procedure.query(() => undefined) : procedure.mutation(() => undefined);
};

/** Builds the router. */
export const documentedRouter = (): OpenApiRouter => {
  const tree: Contract = { ...contract, ...pages };
  return t.router(
    Object.fromEntries(
      Object.entries(tree).map(([resource, routes]) => [
        resource,
        t.router(Object.fromEntries(Object.entries(routes).map(([action, route]) => [action, procedureOf(route)]))),
      ]),
    ),
  );
};
