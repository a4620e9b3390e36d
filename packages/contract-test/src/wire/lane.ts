/** A lane: requests that share one allowance, sent sequentially and no faster than the service's headers allow. */

import { type Exchange, NotChecked, windowsOf } from "./exchange.ts";

export interface LaneTime {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export interface LaneOptions {
  /** The name of the allowance, for example `keyless allowance`. */
  readonly name: string;
  /** The longest total wait of this lane in a run, in milliseconds. */
  readonly maxWaitMs: number;
  /** The share of an hour's allowance left to other clients of the same address. */
  readonly hourReserve?: number;
  readonly time: LaneTime;
}

interface Job {
  readonly priority: number;
  readonly start: () => Promise<Exchange>;
  readonly fulfil: (exchange: Exchange) => void;
  readonly reject: (reason: unknown) => void;
  triesLeft: number;
}

const TRIES = 3;
/** Headers count whole seconds; waits a little longer, so that the window has surely reset. */
const MARGIN_MS = 100;

export class Lane {
  readonly #options: LaneOptions;
  readonly #queue: Job[] = [];
  #isRunning = false;
  #notBeforeMs = 0;
  #waitedMs = 0;
  #hourLeft = Number.POSITIVE_INFINITY;
  #hasHour = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /**
   * Sends a request when its turn comes; lower priorities go first.
   * @throws NotChecked when waiting for the allowance would take longer than permitted
   */
  send(priority: number, start: () => Promise<Exchange>): Promise<Exchange> {
    return new Promise((fulfil, reject) => {
      this.#queue.push({ priority, start, fulfil, reject, triesLeft: TRIES });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Lets requests of the same turn queue up before the first is sent.
    await Promise.resolve();
    for (let job = this.#next(); job; job = this.#next()) {
      if (await this.#mayGo()) await this.#do(job);
      else job.reject(new NotChecked(this.#options.name));
    }
    this.#isRunning = false;
  }

  #next(): Job | undefined {
    const first = this.#queue.reduce<number>(
      (best, job, index) => (best === -1 || job.priority < (this.#queue[best]?.priority ?? 0) ? index : best),
      -1,
    );
    return first === -1 ? undefined : this.#queue.splice(first, 1)[0];
  }

  async #mayGo(): Promise<boolean> {
    const { maxWaitMs, time } = this.#options;
    if (this.#hourLeft <= 0) return false;
    const waitMs = this.#notBeforeMs - time.now();
    if (waitMs <= 0) return true;
    if (this.#waitedMs + waitMs > maxWaitMs) return false;
    this.#waitedMs += waitMs;
    await time.sleep(waitMs);
    return true;
  }

  async #do(job: Job): Promise<void> {
    job.triesLeft -= 1;
    try {
      const exchange = await job.start();
      this.#learn(exchange);
      if (exchange.status === 429 && job.triesLeft > 0) this.#queue.push({ ...job, priority: Number.NEGATIVE_INFINITY });
      else job.fulfil(exchange);
    } catch (error) {
      job.reject(error);
    }
  }

  /** Computes from an answer how long the next request must wait. */
  #learn(exchange: Exchange): void {
    const { time, hourReserve = 0 } = this.#options;
    this.#hourLeft -= 1;
    const windows = windowsOf(exchange);
    const hour = windows.get("hour");
    if (hour && !this.#hasHour && !Number.isNaN(hour.remaining)) {
      this.#hasHour = true;
      this.#hourLeft = Math.floor(hour.remaining * (1 - hourReserve));
    }
    const waits = [...windows.values()].filter(({ remaining }) => remaining <= 0).map(({ resetSeconds }) => resetSeconds);
    if (exchange.status === 429) waits.push(Number(exchange.headers.get("retry-after") ?? 1) || 1);
    const seconds = Math.max(0, ...waits);
    if (seconds > 0) this.#notBeforeMs = time.now() + seconds * 1_000 + MARGIN_MS;
  }
}
