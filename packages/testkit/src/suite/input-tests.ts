/**
 * How a route handles its parameters: each one missing, repeated, overlong, of another type, out of range; and unknown ones.
 */
import { expect, test } from "vitest";
import { type Parameter, parametersOf } from "../wire/parameters.ts";
import { expectRefusal } from "./exchange.ts";
import type { RouteCase } from "./route-case.ts";

/** The parameters a refusal names, each once: location and name. */
const issuePaths = (json: unknown): string[] => {
  const { issues } = json as { issues: { path: unknown[] }[] }; // validated against the schema before
  return [...new Set(issues.map(({ path }) => path.slice(0, 2).join(" ")))];
};

const registerParameterTests = (it: RouteCase, parameter: Parameter): void => {
  const { route } = it;
  const { name, location, isRequired, wrong } = parameter;

  if (isRequired && location !== "path") {
    test(`requires ${name}`, async () => {
      const caller = await it.anyCaller();
      const { [name]: _, ...rest } = await it.sample(caller);
      const answer = await it.ask(caller, { input: rest });
      expectRefusal(route, answer, "validation_error");
      expect(issuePaths(answer.json)).toEqual([`${location} ${name}`]);
    });
  }

  if (location === "query") {
    test(`refuses ${name} given twice, the same or not`, async () => {
      const caller = await it.anyCaller();
      const value = String((await it.sample(caller))[name] ?? parameter.example ?? "1");
      for (const other of [value, "2"]) {
        const { [name]: _, ...rest } = await it.sample(caller);
        const extraQuery = new URLSearchParams([
          [name, value],
          [name, other],
        ]).toString();
        const answer = await it.ask(caller, { input: rest, extraQuery });
        expectRefusal(route, answer, "validation_error");
        expect(issuePaths(answer.json)).toEqual([`${location} ${name}`]);
      }
    });
  }

  if (wrong.length > 0) {
    test(`refuses ${name} that is ${wrong.map(({ why }) => why).join(", ")}`, async () => {
      for (const { why, value } of wrong) {
        const caller = await it.anyCaller();
        const answer = await it.ask(caller, { input: { ...(await it.sample(caller)), [name]: value } });
        expect(answer.status, `${why}: ${answer.text}`).toBe(422);
        expectRefusal(route, answer, "validation_error");
        expect(issuePaths(answer.json), why).toEqual([`${location} ${name}`]);
      }
    });
  }
};

const registerBodyTests = (it: RouteCase): void => {
  const { route } = it;
  test("takes no body at all, and unknown fields in one", async () => {
    expect((await it.ask(await it.caller(), { rawBody: "" })).status).toBe(route.success.status);
    expect((await it.ask(await it.caller(), { rawBody: '{"unknown":1}' })).status).toBe(route.success.status);
  });

  test("refuses a body that is not a JSON object", async () => {
    const caller = await it.caller();
    for (const rawBody of ["{", "[]", '"text"', "5", "null", "name=ci", "\u0000", '{"a":1}}']) {
      const answer = await it.ask(caller, { rawBody });
      expect(answer.status, rawBody).toBe(422);
      expectRefusal(route, answer, "validation_error");
    }
  });
};

/** Registers the tests of a route's parameters. */
export const registerInputTests = (it: RouteCase): void => {
  for (const parameter of parametersOf(it.route)) registerParameterTests(it, parameter);
  if (it.route.method === "POST") registerBodyTests(it);

  test("ignores undeclared parameters, repeated ones too", async () => {
    const caller = await it.anyCaller();
    const answer = await it.ask(caller, { extraQuery: "no_such=1&no_such=2&__proto__=1&constructor=x&%00=%FF" });
    expect(answer.status, answer.text).toBe(it.route.success.status);
  });
};
