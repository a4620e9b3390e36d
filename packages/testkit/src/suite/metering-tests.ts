/** What counts against the monthly quota: answers of data routes, and nothing else. */
import { type AssayContract, contract, type OutputOf } from "@assay/contract";
import { expect, test } from "vitest";
import { parametersOf } from "../wire/parameters.ts";
import { windowsOf } from "../wire/told-windows.ts";
import { exchange } from "./exchange.ts";
import type { SuiteCaller } from "./harness.ts";
import type { RouteCase } from "./route-case.ts";

type Usage = OutputOf<AssayContract["account"]["usage"]>;

/** The metered calls of a caller's organisation so far. */
export const callsOf = async (it: RouteCase, caller: SuiteCaller): Promise<number> => {
  const answer = await exchange(it.harness, contract.account.usage, { key: caller.key });
  return (answer.json as Usage).calls_this_month; // the account routes have their own tests
};

/** Registers the tests of what a route costs. */
export const registerMeteringTests = (it: RouteCase): void => {
  const { route } = it;
  if (!it.readsKeys) return;
  const { metered } = route.access;

  test(metered ? "counts each answer once" : "counts no answer", async () => {
    const caller = await it.caller();
    const before = await callsOf(it, caller);
    await it.ask(caller);
    expect((await callsOf(it, caller)) - before).toBe(metered ? 1 : 0);
  });

  const faulty = parametersOf(route).flatMap(({ name, wrong }) => wrong.slice(0, 1).map(({ value }) => ({ name, value })))[0];
  if (faulty && metered) {
    test("counts no refusal, and says so", async () => {
      const caller = await it.caller();
      const before = await callsOf(it, caller);
      const refused = await it.ask(caller, { input: { ...(await it.sample(caller)), [faulty.name]: faulty.value } });
      expect(refused.status).toBe(422);
      expect(await callsOf(it, caller)).toBe(before);
      const month = windowsOf(refused).get("month");
      expect(month?.remaining, "the refusal has the whole quota").toBe((month?.quota ?? 0) - before);
      expect((await it.ask(caller, { method: "PUT" })).status).toBe(405);
      expect(await callsOf(it, caller)).toBe(before);
    });
  }
};
