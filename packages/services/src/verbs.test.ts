/** Every verb is registered under its route's name. */
import { contract, pages, routesFile, verbName } from "@assay/contract";
import { expect, test } from "vitest";

const routes = Object.entries({ ...contract, ...pages }).flatMap(([resource, actions]) =>
  Object.keys(actions).map((action) => ({
    resource,
    action,
    file: routesFile(resource),
    name: verbName(resource, action),
  })),
);

test.each(routes)("$action of $resource is $name in $file", async ({ file, name }) => {
  const verbs: Record<string, unknown> = await import(/* @vite-ignore */ `./routes/${file}`);
  expect(verbs[name]).toBeTypeOf("function");
});
