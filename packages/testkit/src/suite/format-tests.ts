/** The formats of a route besides JSON: the same gates, limits and metering, and the same figures as its JSON. */
import { type Contract, DEFAULT_CATALOG, FORMATS, type Format, formatEntry, formatsOf, isVersioned } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { CALLER_KINDS, type CallerKind, type Expectation, outcomeAt, tierOf } from "../wire/access.ts";
import { gatedInputs } from "../wire/gated-inputs.ts";
import { windowsOf } from "../wire/told-windows.ts";
import { callerOf } from "./callers.ts";
import { type Answer, type Ask, expectRefusal, expectSuccess } from "./exchange.ts";
import { expectSameFigures } from "./format-figures.ts";
import type { SuiteCaller } from "./harness.ts";
import { callsOf } from "./metering-tests.ts";
import type { RouteCase } from "./route-case.ts";

const ask = (it: RouteCase, format: string, caller: SuiteCaller | null, change: Ask = {}): Promise<Answer> =>
  it.ask(caller, { ...change, extraQuery: `format=${format}` });

/** Checks that an answer is the route's success in a format. */
const expectFormat = (it: RouteCase, format: Format, answer: Answer): void => {
  expect(answer.status, answer.text).toBe(it.route.success.status);
  expect(answer.headers.get("content-type")).toBe(formatEntry(format).contentType);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
};

const registerGateTests = (it: RouteCase, tree: Contract, format: Format): void => {
  const { route } = it;
  const expectAt = async (kind: CallerKind, expected: Expectation, input?: Readonly<Record<string, unknown>>): Promise<void> => {
    const { caller, key } = await callerOf(it, kind);
    const answer = await ask(it, format, caller, { key, ...(input ? { input } : {}) });
    if (expected === "success") return expectFormat(it, format, answer);
    expectRefusal(route, answer, expected.code);
    expect(answer.json).toMatchObject(expected.fields ?? {});
  };

  test("accepts whom the declaration accepts, and refuses the others in JSON", async () => {
    for (const kind of CALLER_KINDS) await expectAt(kind, outcomeAt(tree, route, "REST", kind));
  });

  const meets = (input: Readonly<Record<string, unknown>>): boolean =>
    Object.entries(formatEntry(format).needs ?? {}).every(([name, value]) => (input[name] ?? value) === value);
  const titles = gatedInputs(route.path, DEFAULT_CATALOG, 0).filter(({ input }) => meets(input));
  for (const { title } of titles) {
    test(`gates ${title} by tier`, async () => {
      const gated = gatedInputs(route.path, it.harness.catalog, it.harness.now()).find((each) => each.title === title);
      if (!gated) throw new Error(`${title} is gone`);
      for (const kind of CALLER_KINDS) {
        const expected = kind === "bad key" ? outcomeAt(tree, route, "REST", kind) : gated.expected(tierOf(kind));
        await expectAt(kind, expected, gated.input);
      }
    });
  }
};

const registerAnswerTests = (it: RouteCase, format: Format): void => {
  const { route } = it;
  test("shows the figures of the JSON answer, digit by digit", async () => {
    const caller = await it.anyCaller();
    const json = await it.ask(caller);
    const answer = await ask(it, format, caller);
    expectFormat(it, format, answer);
    expect(JSON.stringify(json.json), "JSON that is parsed and written again is the same").toBe(json.text);
    expectSameFigures(route, format, json.json, answer.text);
  });

  test("answers HEAD as GET, without the body", async () => {
    const caller = await it.anyCaller();
    const get = await ask(it, format, caller);
    const head = await ask(it, format, caller, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([get.status, ""]);
    for (const name of ["content-type", "cache-control", "etag", "vary", "link", "x-ratelimit-limit", "deprecation"]) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
  });

  test("counts against the limits of JSON, and as much", async () => {
    const caller = it.readsKeys ? await it.caller() : null;
    const headers = it.harness.freshAddress();
    const before = windowsOf(await it.ask(caller, { headers }));
    const after = windowsOf(await ask(it, format, caller, { headers }));
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [name, window] of before) {
      const isCounted = name !== "month" || route.access.metered;
      expect(after.get(name)?.remaining, name).toBe(window.remaining - (isCounted ? 1 : 0));
    }
    if (caller) expect(await callsOf(it, caller)).toBe(route.access.metered ? 2 : 0);
  });

  if (route.success.isValidated) {
    test("has its own validator", async () => {
      const [json, answer] = [await it.ask(null), await ask(it, format, null)];
      const [ofJson, own] = [json, answer].map(({ headers }) => headers.get("etag") ?? "");
      expect(own).not.toBe(ofJson);
      const unchanged = await ask(it, format, null, { headers: { "If-None-Match": own ?? "" } });
      expect([unchanged.status, unchanged.text, unchanged.headers.get("etag")]).toEqual([304, "", own]);
      expect((await ask(it, format, null, { headers: { "If-None-Match": ofJson ?? "" } })).status).toBe(200);
      expect((await it.ask(null, { headers: { "If-None-Match": own ?? "" } })).status).toBe(200);
    });
  }
};

const registerAcceptTests = (it: RouteCase, format: Format, accept: string): void => {
  test("is chosen by the Accept header too, and by the parameter before it", async () => {
    const caller = await it.anyCaller();
    const byHeader = await it.ask(caller, { headers: { Accept: accept } });
    expectFormat(it, format, byHeader);
    expect(byHeader.headers.get("vary")).toBe("Accept");
    const byParameter = await ask(it, format, caller, { headers: { Accept: "application/json" } });
    expectFormat(it, format, byParameter);
    // A receipt holds the id of its request.
    if (format !== "jws") expect(byParameter.text).toBe(byHeader.text);
    expect(byParameter.headers.get("vary"), "it does not depend on the header").toBeNull();
    const json = await it.ask(caller, { extraQuery: "format=json", headers: { Accept: accept } });
    expect(json.headers.get("content-type")).toBe("application/json");
    expect(json.headers.get("vary")).toBeNull();
    for (const other of ["*/*", "application/xml", `${accept};q=0`, "text/html, */*;q=0.8"]) {
      const answer = await it.ask(caller, { headers: { Accept: other } });
      expect([answer.headers.get("content-type"), answer.headers.get("vary")], other).toEqual(["application/json", "Accept"]);
    }
  });
};

/** Registers the tests of every format a route has, and of the formats it has not. */
export const registerFormatTests = (it: RouteCase, tree: Contract): void => {
  const { route } = it;
  const formats = formatsOf(route);
  for (const format of formats) {
    describe(`as ${format}`, () => {
      registerGateTests(it, tree, format);
      registerAnswerTests(it, format);
      const { accept } = formatEntry(format);
      if (accept !== undefined) registerAcceptTests(it, format, accept);
    });
  }
  if (!isVersioned(route)) return;

  test("has json, as every route does", async () => {
    const answer = await ask(it, "json", await it.anyCaller());
    expectSuccess(route, answer);
  });

  test("refuses the formats of other routes, and names its own", async () => {
    const others = Object.keys(FORMATS).filter((name) => !formats.some((format) => format === name));
    for (const other of [...others, "xml", "CSV", "json,csv", ""]) {
      const answer = await ask(it, other, await it.anyCaller());
      expectRefusal(route, answer, "validation_error");
      const own = ["json", ...formats];
      const issue = { path: ["query", "format"], message: `must be ${own.length > 1 ? "one of " : ""}${own.join(", ")}` };
      expect(answer.json).toMatchObject({ issues: [issue] });
    }
  });
};
