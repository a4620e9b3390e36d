/** One connection to Redis that answers or fails soon, and heals by itself. */
import { createClient, ErrorReply } from "redis";
import { DeadlineError, withDeadline } from "../deadline.ts";
import type { LiveLog } from "../ports.ts";
import { scripts } from "./scripts.ts";

/** Redis does not answer. What it was asked may still have been done. */
export class RedisAwayError extends Error {
  override readonly name = "RedisAwayError";
}

/** How patient a connection is, in milliseconds. */
export interface Patience {
  /** How long a command may take. */
  readonly commandMs: number;
  /** How long opening a connection may take. */
  readonly connectMs: number;
  /** A silent connection is given up after this long. */
  readonly silenceMs: number;
  /** An idle connection is tried this often. */
  readonly pingMs: number;
  /** The longest pause between two attempts to connect. */
  readonly backoffMs: number;
}

/** Patience with a Redis in the same network. */
export const DEFAULT_PATIENCE: Patience = {
  commandMs: 500,
  connectMs: 2_000,
  silenceMs: 5_000,
  pingMs: 2_000,
  backoffMs: 3_000,
};

/**
 * How long to wait before the next attempt: doubling, with jitter, so that processes do not all come back at once.
 * @param retries attempts made so far
 */
export const backoffMs = (retries: number, longestMs: number, random: () => number = Math.random): number => {
  const ceiling = Math.min(longestMs, 50 * 2 ** Math.min(retries, 16));
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
};

const makeClient = (url: string, patience: Patience, pingMs: number | undefined) =>
  createClient({
    url,
    scripts,
    // Commands asked while away fail at once: a price service must not pile up work for later.
    disableOfflineQueue: true,
    ...(pingMs === undefined ? {} : { pingInterval: pingMs }),
    socket: {
      connectTimeout: patience.connectMs,
      socketTimeout: patience.silenceMs,
      reconnectStrategy: (retries: number) => backoffMs(retries, patience.backoffMs),
    },
  });

/** The client, with Assay's scripts. */
export type RedisClient = ReturnType<typeof makeClient>;

/** What a connection is opened with. */
export interface ConnectionOptions {
  readonly url: string;
  readonly log: LiveLog;
  /** What the connection is for, in the log. */
  readonly role: "commands" | "bus";
  readonly patience?: Partial<Patience>;
}

/** A client with deadlines. Errors of the connection are logged once per outage and never thrown. */
export class RedisConnection {
  readonly #client: RedisClient;
  readonly #log: LiveLog;
  readonly #role: ConnectionOptions["role"];
  readonly #patience: Patience;
  readonly #opened: Promise<void>;
  #state: "opening" | "answering" | "away" | "closed" = "opening";
  /** A command went unanswered; until its answer comes, others are not sent after it. */
  #isStalled = false;

  constructor({ url, log, role, patience }: ConnectionOptions) {
    this.#patience = { ...DEFAULT_PATIENCE, ...patience };
    this.#log = log;
    this.#role = role;
    // A blocking read answers only when something happens, so a ping behind it would look like silence.
    this.#client = makeClient(url, this.#patience, role === "bus" ? undefined : this.#patience.pingMs);
    this.#client.on("error", (error: unknown) => this.#noteAway(error));
    this.#client.on("ready", () => this.#noteAnswer());
    this.#opened = this.#client.connect().then(
      () => {},
      (error: unknown) => this.#noteAway(error),
    );
  }

  /** Whether a command has a chance now. */
  get isReady(): boolean {
    return this.#client.isReady && !this.#isStalled;
  }

  /** Waits for the first connection, but never longer than opening one may take. */
  async opened(): Promise<void> {
    await withDeadline(this.#opened, this.#patience.connectMs).catch((error: unknown) => this.#noteAway(error));
  }

  /**
   * Asks Redis something.
   * @throws RedisAwayError at once while Redis is away, and when it has not answered in time
   * @throws ErrorReply when Redis refuses the command
   */
  async run<T>(command: (client: RedisClient) => Promise<T>, deadlineMs: number = this.#patience.commandMs): Promise<T> {
    if (!this.isReady) throw new RedisAwayError("Redis is away");
    const answer = command(this.#client);
    try {
      return await withDeadline(answer, deadlineMs);
    } catch (error) {
      if (error instanceof ErrorReply) throw error;
      if (error instanceof DeadlineError) this.#noteStalled(error, answer);
      throw new RedisAwayError("Redis does not answer", { cause: error });
    }
  }

  /** Ends the connection; commands under way get a moment to finish. */
  async close(): Promise<void> {
    if (this.#state === "closed") return;
    const canFinish = this.isReady && this.#role === "commands";
    this.#state = "closed";
    if (canFinish) await withDeadline(this.#client.close(), this.#patience.commandMs).catch(() => {});
    this.#client.destroy();
    await this.#opened;
  }

  #noteAnswer(): void {
    this.#isStalled = false;
    if (this.#state === "away") this.#log.info({ role: this.#role }, "redis answers again");
    if (this.#state !== "closed") this.#state = "answering";
  }

  #noteStalled(error: DeadlineError, late: Promise<unknown>): void {
    this.#isStalled = true;
    this.#noteAway(error);
    // Whatever the late answer says, it shows that Redis is back.
    late.then(
      () => this.#noteAnswer(),
      (refusal: unknown) => refusal instanceof ErrorReply && this.#noteAnswer(),
    );
  }

  #noteAway(error: unknown): void {
    if (this.#state === "away" || this.#state === "closed") return;
    this.#state = "away";
    this.#log.warn({ role: this.#role, err: error }, "redis is away; trying again");
  }
}
