/** One route of the contract under test, and how the suite calls it. */
import type { Route, TierName } from "@assay/contract";
import { exampleInput } from "../wire/parameters.ts";
import type { Answer, Ask } from "./exchange.ts";
import { exchange } from "./exchange.ts";
import type { SuiteCaller, SuiteHarness } from "./harness.ts";

/** A route and the service under test. */
export class RouteCase {
  /** `resource.action` */
  readonly name: string;
  readonly route: Route;
  readonly #harness: () => SuiteHarness;

  constructor(name: string, route: Route, harness: () => SuiteHarness) {
    this.name = name;
    this.route = route;
    this.#harness = harness;
  }

  /** The service; available once the suite's set-up has run. */
  get harness(): SuiteHarness {
    return this.#harness();
  }

  /** Whether the route reads keys at all. */
  get readsKeys(): boolean {
    return this.route.access.auth !== "none";
  }

  /** A new caller of the lowest tier the route is open to, or of a higher one. */
  caller(tier: TierName = this.route.access.tier): Promise<SuiteCaller> {
    return this.harness.mint(tier);
  }

  /** Parameters of a successful request. */
  async sample(caller: SuiteCaller | null): Promise<Record<string, unknown>> {
    return (await this.harness.samples?.[this.name]?.(caller)) ?? exampleInput(this.route);
  }

  /** Requests the sample, or another input. */
  async ask(caller: SuiteCaller | null, change: Ask = {}): Promise<Answer> {
    const input = change.input ?? (await this.sample(caller));
    return exchange(this.harness, this.route, { key: caller?.key, ...change, input });
  }

  /** A caller the route allows: null where it takes or needs no key. */
  async anyCaller(): Promise<SuiteCaller | null> {
    return this.route.access.auth === "required" ? this.caller() : null;
  }
}
