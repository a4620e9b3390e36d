/** One route under test: sends its requests, and checks every answer against the rules. */
import type { Route } from "@assay/contract";
import type { CallerKind } from "./claims/outcomes.ts";
import type { Input } from "./inputs/sample.ts";
import type { Result } from "./report/outcome.ts";
import type { Rule, Subject } from "./rules/rule.ts";
import { type Fault, RuleBook } from "./rules/rule-book.ts";
import type { Caller } from "./wire/caller.ts";
import { codeOf, type Exchange, fieldsOf, NotChecked } from "./wire/exchange.ts";
import type { RequestOptions } from "./wire/service.ts";
import type { World } from "./world.ts";

/** A request of a trial; without a caller the route's main one is used, and without an input the route's sample. */
export type TrialRequest = Omit<RequestOptions, "caller"> & { readonly caller?: Caller };

/** A route, the service, and the rule violations so far. */
export class Trial {
  readonly name: string;
  readonly route: Route;
  readonly world: World;
  readonly #book = new RuleBook();
  readonly #turn: number;

  constructor(name: string, route: Route, world: World, turn = 0) {
    this.name = name;
    this.route = route;
    this.world = world;
    this.#turn = turn;
  }

  /** The default caller. @throws NotChecked when there is none */
  main(): Promise<Caller> {
    return this.world.mainCaller(this.route, this.#turn);
  }

  /** A caller of a kind. @throws NotChecked when there is none */
  callerOf(kind: CallerKind): Promise<Caller> {
    return this.world.callerOf(kind, this.route, this.#turn);
  }

  async sample(caller?: Caller): Promise<Input> {
    return this.world.sample(this.name, this.route, caller ?? (await this.main()));
  }

  /** Sends a request, and records rule violations in the answer. */
  async ask(options: TrialRequest = {}): Promise<Exchange> {
    return this.#usable(await this.askAnyway(options));
  }

  /** The same, whatever the answer: a caller may be over its limit, or its key in grace. */
  async askAnyway(options: TrialRequest): Promise<Exchange> {
    const exchange = await this.#send(options);
    this.#book.note(this.#subject(exchange));
    return exchange;
  }

  /** Requests a path that matches no route; the answer is checked against the rules of the given route. */
  async askPath(path: string, options: Omit<RequestOptions, "input">): Promise<Exchange> {
    const exchange = await this.world.service.path(path, options);
    this.#book.note(this.#subject(exchange));
    return exchange;
  }

  /** Sends a request, and returns violations of kinds not seen before instead of recording them. */
  async probe(options: TrialRequest): Promise<{ readonly exchange: Exchange; readonly faults: readonly Fault[] }> {
    const exchange = this.#usable(await this.#send(options));
    return { exchange, faults: this.#book.news(this.#subject(exchange)) };
  }

  /** What an answer breaks of some rules, in words; it is not recorded. */
  broken(exchange: Exchange, rules: readonly Rule[]): string[] {
    const subject = this.#subject(exchange);
    return rules.flatMap((rule) => (rule.judge(subject) ?? []).map((fault) => `${rule.title}: ${fault}`));
  }

  /** A result for every rule that applied to any answer so far. */
  results(): Result[] {
    return this.#book.results(this.name);
  }

  async #send(options: TrialRequest): Promise<Exchange> {
    const caller = options.caller ?? (await this.main());
    const input = options.input ?? (await this.sample(caller));
    const exchange = await this.world.service.route(this.route, { ...options, input, caller });
    const { plaintext } = fieldsOf(exchange.json);
    if (exchange.status === 201 && typeof plaintext === "string") this.world.onRotated(caller, plaintext);
    return exchange;
  }

  #subject(exchange: Exchange): Subject {
    const { catalog, freshForMs } = this.world;
    const [askedAtMs, readAtMs] = [this.world.nowMs(exchange.sentAtMs), this.world.nowMs(exchange.readAtMs)];
    return { route: this.route, exchange, catalog, askedAtMs, readAtMs, freshForMs };
  }

  /** An answer that says nothing about the request: a limit, a key that was replaced before the run, or a disabled feature. */
  #usable(exchange: Exchange): Exchange {
    const code = codeOf(exchange);
    if (exchange.status === 429) throw new NotChecked(`${exchange.sent.caller.name}: ${code ?? "429"} despite waiting`);
    if (code === "key_in_grace") throw new NotChecked(`${exchange.sent.caller.name}: the key has been replaced`);
    if (code === "disabled") throw new NotChecked("disabled by the operator");
    return exchange;
  }
}
