/** The live engine of a world: the one in memory, which loses events and leases, comes back empty, and answers late or not at all. */
import { type BusGap, type CountersPort, type Live, type MarketEvent, openMemoryLive, type SubscribeOptions } from "@assay/live";
import type { Time } from "@assay/ports";
import type { BusFault } from "./cast.ts";
import type { Host, Note } from "./host.ts";

/** A subscriber, and what is on its way to it. */
interface Subscriber {
  readonly host: Host;
  readonly handler: (event: MarketEvent) => void;
  readonly onGap: (gap: BusGap) => void;
  /** How many of the next events it misses. */
  missing: number;
  /** What it is told before its next event. */
  gap: BusGap | null;
  lateMs: number;
  /** Resolves once all that was sent has arrived. */
  sent: Promise<void>;
}

/** What the engine shows an auditor. */
export interface EngineWatch {
  /** Before an event reaches any process. */
  published(event: MarketEvent, by: string): Promise<void>;
  granted(holder: string, token: number): void;
}

/** Counters in memory end with their process; these outlive it, so that what it was writing fails. */
const countersOf = (counters: CountersPort, host: Host): CountersPort => ({
  reserve: (...call) => counters.reserve(...call),
  reserveLoaded: (...call) => counters.reserveLoaded(...call),
  refund: (...call) => counters.refund(...call),
  isSeeded: (...call) => counters.isSeeded(...call),
  seed: (...call) => counters.seed(...call),
  read: (...call) => counters.read(...call),
  settle: (write) => counters.settle((deltas) => Promise.race([write(deltas), host.ended])),
});

/** The engine. */
export class Engine {
  readonly #time: Time;
  readonly #watch: EngineWatch;
  readonly #note: Note;
  #inner: Live;
  readonly #subscribers = new Set<Subscriber>();
  readonly #refusals = new Map<string, BusFault[]>();

  constructor(time: Time, watch: EngineWatch, note: Note) {
    this.#time = time;
    this.#watch = watch;
    this.#note = note;
    this.#inner = openMemoryLive({ clock: time });
  }

  /** Lets a reader miss the next events. */
  miss(name: string, count: number): void {
    for (const each of this.#of(name)) each.missing += count;
  }

  /** Sends a reader what comes from now on later. */
  lag(name: string, ms: number): void {
    for (const each of this.#of(name)) each.lateMs = ms;
  }

  /** Fails a writer's next events. */
  fail(name: string, fault: BusFault, count: number): void {
    const faults = this.#refusals.get(name) ?? [];
    this.#refusals.set(name, [...faults, ...Array.from({ length: count }, () => fault)]);
  }

  /** Ends the lease, whoever has it. */
  async endLease(): Promise<void> {
    const held = await this.#inner.lease.current();
    if (held) await this.#inner.lease.release(held);
  }

  /** Loses everything that it had in memory. */
  empty(): void {
    this.#inner = openMemoryLive({ clock: this.#time });
    for (const each of this.#subscribers) each.gap = { reason: "reset" };
  }

  /** Ends every fault; readers who missed something are told. */
  heal(): void {
    this.#refusals.clear();
    for (const each of this.#subscribers) {
      Object.assign(each, { missing: 0, lateMs: 0 });
      this.#send(each, null);
    }
  }

  /** The engine as one process has it. */
  live(host: Host): Live {
    const inner = (): Live => this.#inner;
    return {
      kind: "memory",
      outage: () => null,
      close: async () => undefined,
      lease: {
        acquire: (holder, ttlMs, floor) =>
          host.call(async () => {
            const held = await inner().lease.acquire(holder, ttlMs, floor);
            if (held) this.#watch.granted(holder, held.token);
            return held;
          }),
        renew: (held, ttlMs) => host.call(() => inner().lease.renew(held, ttlMs)),
        release: (held) => host.call(() => inner().lease.release(held)),
        current: () => host.call(() => inner().lease.current()),
      },
      bus: {
        publish: (event) => host.call(() => this.#publish(host, event)),
        subscribe: async (handler, options = {}) => this.#subscribe(host, handler, options),
      },
      latest: {
        put: (...document) => host.call(() => inner().latest.put(...document)),
        get: (key) => host.call(() => inner().latest.get(key)),
        ping: () => host.call(() => inner().latest.ping()),
      },
      get counters() {
        return countersOf(inner().counters, host);
      },
      get admissions() {
        return inner().admissions;
      },
      get places() {
        return inner().places;
      },
    };
  }

  async #publish(host: Host, event: MarketEvent): Promise<void> {
    const fault = this.#refusals.get(host.name)?.shift();
    if (fault) this.#note(`publish ${fault}`);
    if (fault === "refuse") {
      // As the port has it: subscribers are notified before the next event.
      for (const each of this.#subscribers) each.gap ??= { reason: "missed" };
      throw new Error("the engine does not answer");
    }
    await this.#watch.published(event, host.name);
    for (const subscriber of [...this.#subscribers]) this.#send(subscriber, event);
    if (fault === "loseAnswer") throw new Error("the engine does not answer");
  }

  #subscribe(host: Host, handler: Subscriber["handler"], { onGap = () => undefined }: SubscribeOptions): () => Promise<void> {
    const path = { missing: 0, gap: null, lateMs: 0, sent: Promise.resolve() };
    const subscriber: Subscriber = { host, handler, onGap, ...path };
    this.#subscribers.add(subscriber);
    return async () => void this.#subscribers.delete(subscriber);
  }

  #of(name: string): Subscriber[] {
    return [...this.#subscribers].filter(({ host }) => host.name === name);
  }

  /** Sends an event, or only what is owed before it: in order, however late. */
  #send(to: Subscriber, event: MarketEvent | null): void {
    if (!to.host.isAlive) {
      this.#subscribers.delete(to);
      return;
    }
    if (event && to.missing > 0) {
      to.missing -= 1;
      to.gap ??= { reason: "missed" };
      this.#note("bus miss");
      return;
    }
    const { gap, lateMs } = to;
    to.gap = null;
    if (!event && !gap) return;
    if (lateMs > 0) this.#note("bus lag");
    const dueMs = this.#time.elapsed() + lateMs;
    to.sent = to.sent.then(async () => {
      if (dueMs > this.#time.elapsed()) await this.#time.sleep(dueMs - this.#time.elapsed());
      if (!to.host.isAlive || !this.#subscribers.has(to)) return;
      await to.host.awake();
      if (gap) to.onGap(gap);
      if (event) to.handler(event);
    });
  }
}
