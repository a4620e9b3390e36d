/** A writer: follows until it holds the lease, leads while it holds it, and releases it at shutdown. */
import { SECOND_MS } from "@assay/contract";
import { claimFence, readFenceToken, StaleTokenError } from "@assay/db";
import {
  announceStandby,
  holderId,
  type LeaseTiming,
  type LeaseToken,
  mayWrite,
  startFollowing,
  transition,
  type WriterAction,
  type WriterEvent,
  type WriterState,
  wakeAtMs,
} from "@assay/live";
import type { Cancel } from "@assay/ports";
import type { MetricReading } from "@assay/process";
import { Leadership } from "./term/leadership.ts";
import type { LeadershipOptions } from "./term/term-options.ts";
import { TermEndedError } from "./term/term-options.ts";
import { endsWithin } from "./term/within.ts";

export interface WriterOptions extends Omit<LeadershipOptions, "mayWrite" | "onRefused"> {
  /** Its unique name on the lease. */
  readonly holder: string;
  /** Called when a term does not end, or not in order: nothing is led any more, and only a restart helps. */
  readonly onStuck: (error: unknown) => void;
  /** How long the end of a term may take; 30 seconds by default. */
  readonly haltWithinMs?: number;
}

/** Longer than any statement of a term and any answer that it waits for, but for bulk loads. */
const HALT_WITHIN_MS = 30 * SECOND_MS;

/** Drives the lease's state machine and carries out its actions. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #timing: LeaseTiming;
  #state: WriterState;
  #cancel: Cancel = () => undefined;
  #term: Promise<Leadership | null> = Promise.resolve(null);
  #leading: Leadership | null = null;
  #terms = 0;
  readonly #stopped: Promise<void>;
  #hasStopped: () => void = () => undefined;
  readonly #ready: Promise<void>;
  #isReady: () => void = () => undefined;

  private constructor(options: WriterOptions) {
    this.#options = options;
    this.#timing = { ttlMs: options.leaseTtlMs };
    this.#state = startFollowing(options.clock());
    this.#stopped = new Promise((resolve) => {
      this.#hasStopped = resolve;
    });
    this.#ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
  }

  static start(options: WriterOptions): Writer {
    const writer = new Writer(options);
    writer.#on({ name: "tick" });
    return writer;
  }

  /** Resolves when this writer first leads and has caught up with the past. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Figures for the operator's metrics. */
  readings(): MetricReading[] {
    const gauge = (name: string, help: string, value: number): MetricReading => ({ name, help, kind: "gauge", value });
    const term = this.#leading?.figures ?? { queuedTicks: 0, unpublishedEvents: 0, composeDelayMs: 0 };
    const terms = { name: "assay_writer_terms_total", help: "Terms this writer has led", kind: "counter" } as const;
    return [
      gauge("assay_writer_leading", "1 while this process leads", this.#leading ? 1 : 0),
      { ...terms, value: this.#terms },
      gauge("assay_writer_queued_ticks", "Ticks that wait for the database", term.queuedTicks),
      gauge("assay_writer_unpublished_events", "Events that wait for the bus", term.unpublishedEvents),
      gauge(
        "assay_writer_compose_delay_seconds",
        "Time from the second at which the last prices were due until they were composed",
        term.composeDelayMs / 1_000,
      ),
      ...(this.#leading?.readings() ?? []),
    ];
  }

  /** Finishes the write in progress, releases the lease, and stops. */
  async close(): Promise<void> {
    this.#on({ name: "stop" });
    await this.#stopped;
  }

  #on(event: WriterEvent): void {
    const before = this.#state;
    const { state, actions } = transition(before, event, this.#options.clock(), this.#timing);
    this.#state = state;
    if (before.name !== state.name && (state.name === "lost" || state.name === "leader")) {
      if (before.name !== "renewing" || state.name === "lost")
        this.#options.log.info(`writer: ${before.name} → ${state.name}`, { holder: holderId(this.#options.holder) });
    }
    for (const action of actions) this.#do(action);
    if (state.name === "stopped") this.#hasStopped();
    this.#sleep();
  }

  #sleep(): void {
    this.#cancel();
    const wakeMs = wakeAtMs(this.#state, this.#timing);
    if (wakeMs === null) return;
    const { clock } = this.#options;
    this.#cancel = clock.after(Math.max(1, wakeMs - clock()), () => this.#on({ name: "tick" }));
  }

  #do(action: WriterAction): void {
    const answer = (work: Promise<WriterEvent>): void => {
      work.then(
        (event) => this.#on(event),
        (error: unknown) => this.#options.log.fault(error, `writer: ${action.name} failed unexpectedly`),
      );
    };
    if (action.name === "acquire") answer(this.#acquire());
    else if (action.name === "claim") answer(this.#claim(action.held));
    else if (action.name === "renew") answer(this.#renew(action.held));
    else if (action.name === "release") answer(this.#release(action.held));
    else if (action.name === "startWriting") this.#lead(action.held);
    else answer(this.#halt());
  }

  async #acquire(): Promise<WriterEvent> {
    const { live, store, clock, holder, leaseTtlMs, log } = this.#options;
    try {
      const held = await live.lease.acquire(holder, leaseTtlMs, await readFenceToken(store));
      if (held) return { name: "acquired", held };
      // It has just read from the database.
      await announceStandby(live, `${holder} ${clock()}`);
      return { name: "refused" };
    } catch (error) {
      log.fault(error, "failed to request the lease");
      return { name: "unreachable" };
    }
  }

  async #claim(held: LeaseToken): Promise<WriterEvent> {
    const { token } = held;
    try {
      await claimFence(this.#options.store, token, held.holder);
      return { name: "claimed", token };
    } catch (error) {
      if (error instanceof StaleTokenError) return { name: "claimRefused", token };
      this.#options.log.fault(error, "failed to register the new writer in the database");
      return { name: "claimFailed", token };
    }
  }

  async #renew(held: LeaseToken): Promise<WriterEvent> {
    const { live, leaseTtlMs, log } = this.#options;
    try {
      const renewed = await live.lease.renew(held, leaseTtlMs);
      return renewed ? { name: "renewed", held: renewed } : { name: "notRenewed", token: held.token };
    } catch (error) {
      log.fault(error, "failed to renew the lease");
      return { name: "renewFailed", token: held.token };
    }
  }

  async #release(held: LeaseToken): Promise<WriterEvent> {
    try {
      await this.#options.live.lease.release(held);
    } catch (error) {
      this.#options.log.fault(error, "failed to release the lease; it will expire");
    }
    return { name: "released", token: held.token };
  }

  #lead(held: LeaseToken): void {
    const { clock, log } = this.#options;
    const isOurs = (): boolean => "held" in this.#state && this.#state.held.token === held.token;
    const options: LeadershipOptions = {
      ...this.#options,
      mayWrite: () => isOurs() && mayWrite(this.#state, clock(), this.#timing),
      onRefused: () => this.#on({ name: "writeRefused", token: held.token }),
    };
    this.#term = Leadership.begin(options, held).then(
      (term) => {
        this.#leading = term;
        this.#terms += 1;
        this.#isReady();
        return term;
      },
      (error: unknown) => {
        if (error instanceof StaleTokenError) options.onRefused();
        else if (!(error instanceof TermEndedError)) {
          // Without a term there is nothing to lead with: steps down and retries as a follower.
          log.fault(error, "failed to start the term");
          options.onRefused();
        }
        return null;
      },
    );
  }

  async #halt(): Promise<WriterEvent> {
    const { haltWithinMs = HALT_WITHIN_MS, onStuck, clock } = this.#options;
    const ended = this.#end();
    try {
      if (!(await endsWithin(ended, haltWithinMs, clock))) onStuck(new Error(`the term did not end within ${haltWithinMs} ms`));
      await ended;
    } catch (error) {
      onStuck(error);
    }
    this.#term = Promise.resolve(null);
    return { name: "halted" };
  }

  async #end(): Promise<void> {
    const term = await this.#term;
    this.#leading = null;
    await term?.end();
  }
}
