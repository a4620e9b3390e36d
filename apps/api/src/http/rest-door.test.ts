import { contract, pages, type Route } from "@assay/contract";
import { attempt, type Call, type Outcome, refusalOutcome } from "@assay/services";
import { beforeEach, describe, expect, test } from "vitest";
import { createHono } from "./application.ts";
import { mount } from "./rest-door.ts";
import type { MountedRoute } from "./routes.ts";

let inputs: unknown[];
beforeEach(() => {
  inputs = [];
});

/** A route that answers with its input. */
const echo = (route: Route): MountedRoute => ({
  route,
  invoke: (call: Call) =>
    attempt<Outcome>(
      async (fail) => {
        const input = await call.readInput(fail, { kind: "anonymous" } as never);
        inputs.push(input);
        return { status: 200, headers: { "Content-Type": "application/json" }, body: JSON.stringify(input) };
      },
      (refusal) => refusalOutcome(refusal, call.requestId),
    ),
});

const mint = contract.account.mintKey;
const routes = {
  mint,
  spot: contract.spot.get,
  bars: contract.bars.list,
  alert: contract.alerts.get,
  delete: contract.alerts.delete,
};
const app = createHono();
const mounted = Object.fromEntries(Object.entries({ ...routes, ...pages.badge }).map(([name, route]) => [name, echo(route)]));
mount(app, { test: mounted }, { addressOf: () => "127.0.0.1", publicUrl: () => "http://127.0.0.1:8080" });

const read = async (path: string, method = "GET") => {
  const response = await app.request(path, { method });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe("a request", () => {
  test("is for the route of its path: parameters are decoded, and a fixed ending belongs to none", async () => {
    await read("/v1/spot/XAU%2FUSD?include=karat");
    await read("/badge/gold.svg");
    expect(inputs).toMatchObject([{ symbol: "XAU/USD", include: expect.anything() }, { metal: "gold" }]);
    expect((await read("/badge/gold.png")).status).toBe(404);
    expect((await read("/v1/spot")).status).toBe(404);
  });

  test("has its body read, whole and as JSON", async () => {
    const post = (body: string) =>
      app.request(mint.path, { method: "POST", body, headers: { "Content-Type": "application/json" } });
    expect(await (await post('{"name":"till"}')).json()).toMatchObject({ name: "till" });
    expect((await post('{"name":')).status).toBe(422);
  });

  test("gets the length of its answer, which HEAD has as well", async () => {
    const [get, head] = [await read("/v1/spot/gold"), await read("/v1/spot/gold", "HEAD")];
    expect(get.headers.get("content-length")).toBe(String(get.text.length));
    expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", String(get.text.length)]);
  });

  test("lists the methods of its path in Allow when it has another one", async () => {
    const { status, headers } = await read("/v1/account/alerts/a", "PUT");
    expect([status, headers.get("allow")]).toEqual([405, "DELETE, GET, HEAD"]);
  });
});

describe("the input of a URL", () => {
  const QUERY = "symbol=XAU/USD&from=2026-11-01&to=2026-11-20";

  test("is decoded once, and cannot be changed", async () => {
    for (const limit of [5, 5, 6]) await read(`/v1/bars?${QUERY}&limit=${limit}`);
    expect(inputs[1]).toBe(inputs[0]);
    expect(inputs[2]).not.toBe(inputs[0]);
    expect(inputs.every((input) => Object.isFrozen(input))).toBe(true);
  });

  test("is refused each time when it is invalid", async () => {
    for (const _ of [1, 2]) expect((await read(`/v1/bars?${QUERY}&limit=1e3`)).status).toBe(422);
    expect(inputs).toEqual([]);
  });

  test("is kept for a bounded number of URLs, and not for very long ones", async () => {
    const long = `/v1/bars?${QUERY}&_=${"x".repeat(600)}`;
    for (const path of [long, long]) await read(path);
    expect(inputs[1]).not.toBe(inputs[0]);
    const first = `/v1/bars?${QUERY}&limit=1`;
    await read(first);
    for (let each = 0; each < 2_000; each += 1) await read(`/v1/bars?${QUERY}&_=${each}`);
    await read(first);
    expect(inputs.at(-1)).not.toBe(inputs[2]);
  });

  test("is of its route alone", async () => {
    await read("/v1/account/alerts/a");
    await read("/v1/account/alerts/a", "DELETE");
    expect(inputs[1]).not.toBe(inputs[0]);
  });
});
