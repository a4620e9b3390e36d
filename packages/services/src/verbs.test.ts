/** Every verb is registered under its route's name. */
import { contract, fileNames, pages, verbName } from "@assay/contract";
import { expect, test } from "vitest";

const routes = Object.entries({ ...contract, ...pages }).flatMap(([resource, actions]) =>
  Object.keys(actions).map((action) => ({
    resource,
    action,
    file: fileNames(resource, action).verb,
    name: verbName(resource, action),
  })),
);

test.each(routes)("$resource.$action is $name in $file", async ({ file, name }) => {
  const verbs: Record<string, unknown> = await import(/* @vite-ignore */ `./${file}`);
  expect(verbs[name]).toBeTypeOf("function");
});
