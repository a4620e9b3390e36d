/** A Redis connection that answers or fails fast, and reconnects on its own. */
import { createClient, ErrorReply } from "@redis/client";
import { DeadlineError, withDeadline } from "../deadline.ts";
import type { Log } from "../log.ts";
import { scripts } from "./scripts.ts";

/** Redis does not answer. The command may still have been executed. */
export class RedisAwayError extends Error {
  override readonly name = "RedisAwayError";
}

/** Timeouts of a connection, in milliseconds. */
export interface Patience {
  /** Command timeout. */
  readonly commandMs: number;
  /** Connect timeout. */
  readonly connectMs: number;
  /** A silent connection is dropped after this long. */
  readonly silenceMs: number;
  /** Ping interval of an idle connection. */
  readonly pingMs: number;
  /** The longest pause between connection attempts. */
  readonly backoffMs: number;
}

/** Timeouts for a Redis in the same network. */
export const DEFAULT_PATIENCE: Patience = {
  commandMs: 500,
  connectMs: 2_000,
  silenceMs: 5_000,
  pingMs: 2_000,
  backoffMs: 3_000,
};

/**
 * Reconnect delay: exponential backoff with jitter, so that processes do not all reconnect at once.
 * @param retries attempts so far
 */
export const backoffMs = (retries: number, longestMs: number, random: () => number = Math.random): number => {
  const ceiling = Math.min(longestMs, 50 * 2 ** Math.min(retries, 16));
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
};

const makeClient = (url: string, patience: Patience, pingMs: number | undefined) =>
  createClient({
    url,
    scripts,
    // Commands issued while disconnected fail immediately: a price service must not queue work for later.
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

/** Options of a connection. */
export interface ConnectionOptions {
  readonly url: string;
  readonly log: Log;
  /** What the connection is for, as logged. */
  readonly role: "commands" | "bus";
  readonly patience?: Partial<Patience>;
}

/** A client with timeouts. Connection errors are logged once per outage and never thrown. */
export class RedisConnection {
  readonly #client: RedisClient;
  readonly #log: Log;
  readonly #role: ConnectionOptions["role"];
  readonly #patience: Patience;
  readonly #opened: Promise<void>;
  #state: "opening" | "answering" | "away" | "closed" = "opening";
  /** A command timed out; no others are sent until its reply arrives. */
  #isStalled = false;

  constructor({ url, log, role, patience }: ConnectionOptions) {
    this.#patience = { ...DEFAULT_PATIENCE, ...patience };
    this.#log = log;
    this.#role = role;
    // A blocking read replies only when there is an event, so a ping queued behind it would look like a dead connection.
    this.#client = makeClient(url, this.#patience, role === "bus" ? undefined : this.#patience.pingMs);
    this.#client.on("error", (error: unknown) => this.#noteAway(error));
    this.#client.on("ready", () => this.#noteAnswer());
    this.#opened = this.#client.connect().then(
      () => {},
      (error: unknown) => this.#noteAway(error),
    );
  }

  /** Whether a command can currently succeed. */
  get isReady(): boolean {
    return this.#client.isReady && !this.#isStalled;
  }

  /** Waits for the first connection, at most for the connect timeout. */
  async opened(): Promise<void> {
    await withDeadline(this.#opened, this.#patience.connectMs).catch((error: unknown) => this.#noteAway(error));
  }

  /**
   * Sends a command.
   * @throws RedisAwayError immediately while Redis is down, and on timeout
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

  /** Closes the connection; commands in flight get a moment to finish. */
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
    if (this.#state === "away") this.#log.info({ role: this.#role }, "redis is reachable again");
    if (this.#state !== "closed") this.#state = "answering";
  }

  #noteStalled(error: DeadlineError, late: Promise<unknown>): void {
    this.#isStalled = true;
    this.#noteAway(error);
    // Any late reply shows that Redis is back.
    late.then(
      () => this.#noteAnswer(),
      (refusal: unknown) => refusal instanceof ErrorReply && this.#noteAnswer(),
    );
  }

  #noteAway(error: unknown): void {
    if (this.#state === "away" || this.#state === "closed") return;
    this.#state = "away";
    this.#log.warn({ role: this.#role, err: error }, "redis is unreachable; retrying");
  }
}
