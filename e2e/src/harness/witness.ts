/** What clients see of a service while something happens to it: answers by phase, from continuous requests. */
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** The phases of a failure. */
export type Phase = "before" | "during" | "after";

/** The answers of one phase. */
export interface Seen {
  /** By status, or by the connection's error. */
  readonly outcomes: Map<string, number>;
  slowestMs: number;
}

/** Requests per client and second are bounded: the machine is shared with the service. */
const PAUSE_MS = 15;

const ask = (agent: Agent, url: string, headers: Record<string, string>): Promise<string> =>
  new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
    const sent = request(url, { agent, headers }, (response) => {
      response.resume();
      response.on("error", failed);
      response.on("end", () => resolve(String(response.statusCode)));
    });
    sent.on("error", failed);
    sent.end();
  });

/** Clients that ask again and again until they are stopped. */
export class Witness {
  readonly #agent: Agent;
  readonly #working: readonly Promise<void>[];
  #phase: Phase = "before";
  #seen = new Map<Phase, Seen>();
  #isOver = false;

  /** @param paths each is asked by one client */
  constructor(url: string, key: string, paths: readonly string[]) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: paths.length });
    this.#working = paths.map((path) => this.#work(`${url}${path}`, { authorization: `Bearer ${key}` }));
  }

  /** Begins a phase; `before` also begins a new failure. */
  begin(phase: Phase): void {
    if (phase === "before") this.#seen = new Map();
    this.#phase = phase;
  }

  /** What was seen in a phase. */
  in(phase: Phase): Seen {
    const known = this.#seen.get(phase) ?? { outcomes: new Map<string, number>(), slowestMs: 0 };
    this.#seen.set(phase, known);
    return known;
  }

  /** Waits for more answers in the current phase. */
  async until(answers: number): Promise<void> {
    const { outcomes } = this.in(this.#phase);
    const count = (): number => [...outcomes.values()].reduce((sum, each) => sum + each, 0);
    const enough = count() + answers;
    while (count() < enough) await pause(PAUSE_MS);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#working);
    this.#agent.destroy();
  }

  async #work(url: string, headers: Record<string, string>): Promise<void> {
    while (!this.#isOver) {
      const startedMs = performance.now();
      // An answer belongs to the phase in which it was asked for.
      const seen = this.in(this.#phase);
      const outcome = await ask(this.#agent, url, headers);
      seen.outcomes.set(outcome, (seen.outcomes.get(outcome) ?? 0) + 1);
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - startedMs);
      await pause(PAUSE_MS);
    }
  }
}

/** A phase in words: `212 × 200, 3 × 503, slowest 41 ms`. */
export const inWords = ({ outcomes, slowestMs }: Seen): string =>
  [
    ...[...outcomes].sort(([left], [right]) => left.localeCompare(right)).map(([outcome, count]) => `${count} × ${outcome}`),
    `slowest ${Math.round(slowestMs)} ms`,
  ].join(", ");
