/** One route under test: sends its requests, and checks every answer against the rules. */
import type { Route } from "@assay/contract";
import { type Input, sampleInput } from "./inputs/sample.ts";
import type { Group } from "./report/outcome.ts";
import type { Tell } from "./report/recorder.ts";
import type { Subject } from "./rules/rule.ts";
import { type Fault, RuleBook } from "./rules/rule-book.ts";
import { mainCaller, type RunContext, serviceNowMs } from "./run-context.ts";
import type { Caller } from "./wire/caller.ts";
import { codeOf, type Exchange, NotChecked } from "./wire/exchange.ts";
import type { Asking } from "./wire/service.ts";

/** A request of a trial; without a caller the route's main one is used. */
export type TrialAsking = Omit<Asking, "caller"> & { readonly caller?: Caller };

/** A route, its run, and the rule violations so far. */
export class RouteTrial {
  readonly name: string;
  readonly route: Route;
  readonly run: RunContext;
  readonly #book = new RuleBook();
  readonly #turn: number;

  constructor(name: string, route: Route, run: RunContext, turn = 0) {
    this.name = name;
    this.route = route;
    this.run = run;
    this.#turn = turn;
  }

  /** The default caller. @throws NotChecked when there is none */
  main(): Caller {
    return mainCaller(this.run, this.route, this.#turn);
  }

  /** The minimal request. */
  sample(): Input {
    return sampleInput(this.route, serviceNowMs(this.run));
  }

  /** Runs a check of this route. */
  check(group: Group, title: string, body: (tell: Tell) => Promise<void>): Promise<void> {
    return this.run.recorder.check(this.name, group, title, body);
  }

  /** Sends a request, and records rule violations in the answer. */
  async ask(asking: TrialAsking = {}): Promise<Exchange> {
    const exchange = await this.#send(asking);
    this.#book.note(this.#subject(exchange));
    return this.#usable(exchange);
  }

  /** Requests a path that matches no route; the answer is checked against the rules of the given route. */
  async askPath(path: string, asking: Omit<Asking, "input">): Promise<Exchange> {
    const exchange = await this.run.service.path(path, asking);
    this.#book.note(this.#subject(exchange));
    return exchange;
  }

  /** Sends a request, and returns violations of kinds not seen before instead of recording them. */
  async probe(asking: TrialAsking): Promise<{ readonly exchange: Exchange; readonly faults: readonly Fault[] }> {
    const exchange = this.#usable(await this.#send(asking));
    return { exchange, faults: this.#book.news(this.#subject(exchange)) };
  }

  /** Reports the recorded rule violations. */
  finish(): void {
    this.run.recorder.results.push(...this.#book.results(this.name));
  }

  #send(asking: TrialAsking): Promise<Exchange> {
    const caller = asking.caller ?? this.main();
    return this.run.service.route(this.route, { ...asking, input: asking.input ?? this.sample(), caller });
  }

  #subject(exchange: Exchange): Subject {
    return {
      route: this.route,
      exchange,
      catalog: this.run.catalog,
      askedAtMs: serviceNowMs(this.run, exchange.sentAtMs),
      readAtMs: serviceNowMs(this.run, exchange.readAtMs),
    };
  }

  /** An answer that says nothing about the request: a limit, or a disabled feature. */
  #usable(exchange: Exchange): Exchange {
    const code = codeOf(exchange);
    if (exchange.status === 429) throw new NotChecked(`${exchange.sent.caller.name}: ${code ?? "429"} despite waiting`);
    if (code === "disabled") throw new NotChecked("disabled by the operator");
    return exchange;
  }
}
