/** The machine that a process runs on: it can stand still, and end without a word; the store fails it as the world says. */
import { type Store, StoreUnavailableError } from "@assay/db";
import { everyBy, sleepBy, type Time } from "@assay/ports";
import type { StoreFault } from "./cast.ts";

/** How long an engine takes to answer. Without it the order of answers would be up to the real time that they take. */
const LATENCY_MS = 1;

/** How long a process waits for an answer of the store. */
const ANSWER_TIMEOUT_MS = 5_000;

const never = <T>(): Promise<T> => new Promise(() => undefined);

/** What is counted of a world's faults. */
export type Note = (fault: string) => void;

/** One process's machine. */
export class Host {
  readonly name: string;
  readonly time: Time;
  readonly store: Store;
  readonly #world: Time;
  readonly #note: Note;
  #isAlive = true;
  #pausedUntilMs = 0;
  #troubleMs = 0;
  #aheadMs: number;
  readonly #latencyMs: number;
  #faults: { readonly fault: StoreFault; readonly ms: number }[] = [];
  #end: (error: Error) => void = () => undefined;
  /** Rejects when it ends. */
  readonly ended: Promise<never>;
  /** Called when a fault ends the process. */
  onDeath: () => void = () => undefined;

  /**
   * @param aheadMs how far its clock is ahead of the world's
   * @param latencyMs how long an engine takes to answer it; none for who acts while time stands
   */
  constructor(name: string, world: Time, store: Store, note: Note, aheadMs = 0, latencyMs = LATENCY_MS) {
    this.#latencyMs = latencyMs;
    this.#aheadMs = aheadMs;
    this.ended = new Promise((_, reject) => {
      this.#end = reject;
    });
    this.ended.catch(() => undefined);
    this.name = name;
    this.#world = world;
    this.#note = note;
    this.time = this.#hostTime(world);
    this.store = this.#hostStore(store);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Ends it: nothing that it waits for comes any more. */
  kill(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    this.#end(new Error(`${this.name} has ended`));
    this.onDeath();
  }

  /** Until when something kept it from knowing what is stored, by the world's clock. */
  get troubleMs(): number {
    return this.#troubleMs;
  }

  /** Sets its clock. */
  set(aheadMs: number): void {
    this.#aheadMs = aheadMs;
  }

  /** Lets it stand still. */
  pause(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#world.elapsed() + ms);
    this.#trouble(ms);
  }

  /** Fails its next statements. */
  fail(fault: StoreFault, count: number, ms: number): void {
    for (let left = count; left > 0; left -= 1) this.#faults.push({ fault, ms });
  }

  /** Ends every fault. */
  heal(): void {
    this.#faults = [];
    this.#pausedUntilMs = 0;
  }

  /** Resolves once it does not stand still; never when it has ended. */
  async awake(): Promise<void> {
    while (this.#isAlive && this.#pausedUntilMs > this.#world.elapsed())
      await this.#world.sleep(this.#pausedUntilMs - this.#world.elapsed());
    if (!this.#isAlive) await never();
  }

  /** Runs a call to an engine from here: it leaves and comes back only while the process runs. */
  async call<T>(work: () => Promise<T>): Promise<T> {
    await this.awake();
    const answer = work();
    const outcome = await Promise.allSettled(this.#latencyMs > 0 ? [answer, this.#world.sleep(this.#latencyMs)] : [answer]);
    await this.awake();
    const [settled] = outcome;
    if (settled.status === "rejected") throw settled.reason;
    return settled.value;
  }

  #trouble(ms: number): void {
    this.#troubleMs = Math.max(this.#troubleMs, this.#world() + ms);
  }

  async #ask<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#faults.shift();
    if (!next) return this.call(work);
    this.#note(`store ${next.fault}`);
    this.#trouble(Math.max(next.ms, ANSWER_TIMEOUT_MS));
    const unavailable = new StoreUnavailableError("the database does not answer: ETIMEDOUT", "timeout");
    return this.call(async () => {
      if (next.fault === "refuse") throw unavailable;
      if (next.fault === "dieBefore") this.kill();
      if (!this.#isAlive) return never<T>();
      const answer = await (next.fault === "delay" ? this.#late(work, next.ms, unavailable) : work());
      if (next.fault === "dieAfter") this.kill();
      if (next.fault === "loseAnswer") throw unavailable;
      return answer;
    });
  }

  /** Runs a statement that is late on its way: the process may give up, stand still or end meanwhile, and it runs nevertheless. */
  async #late<T>(work: () => Promise<T>, ms: number, unavailable: Error): Promise<T> {
    const answer = this.#world.sleep(ms).then(work);
    answer.catch(() => undefined);
    const givesUp = this.#world.sleep(ANSWER_TIMEOUT_MS).then(() => Promise.reject(unavailable));
    givesUp.catch(() => undefined);
    return Promise.race([answer, givesUp]);
  }

  #hostTime(world: Time): Time {
    const after: Time["after"] = (ms, run) =>
      world.after(ms, () => {
        if (this.#pausedUntilMs <= world.elapsed()) {
          if (this.#isAlive) run();
        } else void this.awake().then(run);
      });
    const sleep = sleepBy(after);
    // A turn of the event loop would be one of real time.
    const turn = (): Promise<void> => sleep(0);
    return Object.assign(() => world() + this.#aheadMs, { ...world, after, every: everyBy(after), sleep, turn });
  }

  #hostStore(store: Store): Store {
    return {
      ...store,
      now: this.time,
      run: (work, timeoutMs) => this.#ask(() => store.run(work, timeoutMs)),
      readRow: (query) => this.#ask(() => store.readRow(query)),
      ping: (timeoutMs) => this.#ask(() => store.ping(timeoutMs)),
      close: async () => undefined,
    };
  }
}
