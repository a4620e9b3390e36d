/** Every caller through every transport of every route: what the declaration says, and what the service answers. */
import { type Contract, DEFAULT_CATALOG, ERRORS } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { CALLER_KINDS, type CallerKind, type Door, type Expectation, outcomeAt, routeAt, tierOf } from "../wire/access.ts";
import { gatedInputs } from "../wire/gated-inputs.ts";
import { callerOf } from "./callers.ts";
import { expectRefusal, expectSuccess } from "./exchange.ts";
import type { SuiteCaller } from "./harness.ts";
import type { RouteCase } from "./route-case.ts";
import { expectCalls, trpcExchange } from "./trpc-exchange.ts";

type Input = Readonly<Record<string, unknown>>;

const inputsOf = async (it: RouteCase, caller: SuiteCaller | null, count: number, input?: Input): Promise<Input[]> => {
  const inputs: Input[] = [];
  for (let place = 0; place < count; place += 1) inputs.push(input ?? (await it.sample(caller)));
  return inputs;
};

/** One cell of the matrix, and the request it makes. */
interface Cell {
  readonly contract: Contract;
  readonly door: Door;
  readonly kind: CallerKind;
  readonly expected: Expectation;
  /** Replaces the route's sample. */
  readonly input?: Input;
}

/** Makes a request as a caller, and checks the outcome. */
const expectAt = async (it: RouteCase, { contract, door, kind, expected, input }: Cell): Promise<void> => {
  const { route, harness, name } = it;
  const { caller, key } = await callerOf(it, kind);
  if (door === "tRPC" || door === "tRPC batch") {
    const isBatch = door === "tRPC batch";
    const inputs = await inputsOf(it, caller, isBatch ? 2 : 1, input);
    expectCalls(route, await trpcExchange(harness, { name, route, key, inputs }, isBatch), expected);
    return;
  }
  const answer = await it.ask(caller, { key, ...(door === "HEAD" ? { method: "HEAD" } : {}), ...(input ? { input } : {}) });
  if (door === "HEAD") {
    const reached = routeAt(contract, route, door) ?? route;
    expect(answer.status).toBe(expected === "success" ? reached.success.status : ERRORS[expected.code].status);
    expect(answer.text).toBe("");
  } else if (expected === "success") expectSuccess(route, answer);
  else {
    expectRefusal(route, answer, expected.code);
    expect(answer.json).toMatchObject(expected.fields ?? {});
  }
};

/** Counts the cells that ran, so that none goes missing silently. */
export class Ledger {
  readonly #cells = new Set<string>();
  note(...cell: readonly string[]): void {
    this.#cells.add(cell.join(" × "));
  }
  get size(): number {
    return this.#cells.size;
  }
}

/** Registers one route's cells, and those of inputs open to some tiers only. */
export const registerMatrixTests = (it: RouteCase, contract: Contract, doors: readonly Door[], ledger: Ledger): void => {
  for (const door of doors) {
    test(`accepts over ${door} whom its declaration accepts, and refuses the others as it says`, async () => {
      for (const kind of CALLER_KINDS) {
        await expectAt(it, { contract, door, kind, expected: outcomeAt(contract, it.route, door, kind) });
        ledger.note(it.name, door, kind);
      }
    });
  }
  const titles = gatedInputs(it.route.path, DEFAULT_CATALOG, 0).map(({ title }) => title);
  for (const title of titles) {
    test(`gates ${title} by tier over every protocol`, async () => {
      const gated = gatedInputs(it.route.path, it.harness.catalog, it.harness.now()).find((each) => each.title === title);
      if (!gated) throw new Error(`${title} is gone`);
      for (const door of doors) {
        for (const kind of CALLER_KINDS) {
          const expected = kind === "bad key" ? outcomeAt(contract, it.route, door, kind) : gated.expected(tierOf(kind));
          await expectAt(it, { contract, door, kind, expected, input: gated.input });
        }
      }
    });
  }
};

/** Registers the check that every cell ran. */
export const registerMatrixCount = (cases: readonly RouteCase[], doors: readonly Door[], ledger: Ledger): void => {
  describe("the matrix of callers, routes and protocols", () => {
    test("has no cell that was not checked", () => {
      const wanted = cases.length * doors.length * CALLER_KINDS.length;
      console.info(
        `access matrix: ${ledger.size} cells (${cases.length} routes × ${doors.length} doors × ${CALLER_KINDS.length} callers)`,
      );
      expect(ledger.size).toBe(wanted);
    });
  });
};
