/** Names that every JavaScript object inherits, as names and values in requests: unknown, like any other unknown name. */
import { contract, pages, type Route } from "@assay/contract";
import { exampleInput, requestPath } from "@assay/contract-test/requests";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { toolRoutes } from "../mcp/tools.ts";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const NAMES = ["constructor", "toString", "hasOwnProperty", "__proto__", "__defineGetter__"];
const routesOf = (tree: Readonly<Record<string, Readonly<Record<string, Route>>>>) =>
  Object.entries(tree).flatMap(([resource, actions]) =>
    Object.entries(actions).map(([action, route]) => ({ procedure: `${resource}.${action}`, route })),
  );
const READING = routesOf(contract).filter(({ route }) => route.method === "GET");

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ key } = await app.key("realtime_pro"));
});
afterAll(() => app.close());
afterEach(() => {
  expect(app.log.splice(0), "no fault is logged").toEqual([]);
});

const expectNoFault = async (path: string, request: { body?: unknown; method?: string } = {}): Promise<void> => {
  const { status, text } = await app.ask(path, { key, ...request });
  expect(text, `${status} ${path}`).not.toContain("Internal Server Error");
};

describe.each(NAMES)("%s", (name) => {
  test("is a value of no parameter", async () => {
    for (const { route } of [...READING, ...routesOf(pages)]) {
      for (const parameter of [...Object.keys(route.input.shape), "format"]) {
        await expectNoFault(requestPath(route, { ...exampleInput(route), [parameter]: name }));
      }
    }
  });

  test("is the name of no parameter", async () => {
    for (const { procedure, route } of READING) {
      const input = exampleInput(route);
      await expectNoFault(requestPath(route, input, `${name}=1`));
      await expectNoFault(`/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify({ ...input, [name]: 1 }))}`);
    }
    await expectNoFault("/v1/account/keys", { method: "POST", body: { name: "ci", [name]: 1 } });
  });

  test("is no argument of a tool, and no tool", async () => {
    const calls = toolRoutes(contract).map(({ tool, route }) => ({
      name: tool.name,
      arguments: { ...exampleInput(route), [name]: 1 },
    }));
    for (const params of [...calls, { name, arguments: {} }]) {
      await expectNoFault("/mcp", { method: "POST", body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } });
    }
  });

  test("is no page, procedure, document or chart symbol", async () => {
    const paths = [`/${name}`, `/v1/${name}`, `/trpc/${name}`, `/trpc/spot.${name}`, `/trpc/${name}.get`, `/assets/${name}`];
    const documents = [
      `/docs/${name}`,
      `/docs/errors/${name}`,
      `/docs/errors/${name}.md`,
      `/docs/guides/${name}`,
      `/.well-known/${name}`,
    ];
    for (const path of [...paths, ...documents]) {
      expect((await app.ask(path, { key })).status, path).toBe(404);
    }
    await expectNoFault(`/archives/${name}`);
    await expectNoFault(`/udf/symbols?symbol=${name}`);
    await expectNoFault(`/udf/search?query=${name}&type=${name}&exchange=${name}&limit=5`);
    await expectNoFault(`/udf/history?symbol=${name}&resolution=${name}&from=0&to=1795183407`);
  });
});
