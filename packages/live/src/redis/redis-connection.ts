/** A Redis connection that answers or fails fast, and reconnects on its own. */
import { createClient, ErrorReply } from "@redis/client";
import type { CallWrapper } from "../ports.ts";
import { type ConnectionRole, RedisAwayError, type RedisOutage, redisFault } from "./redis-outage.ts";
import { scripts } from "./scripts/scripts.ts";

/** The awaited result did not arrive in time. It may still arrive later. */
class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * Waits for a promise until a deadline. An answer that is already in the socket buffer still counts, because a process that was
 * busy has not been kept waiting.
 * @throws DeadlineError when the time is up
 */
const withDeadline = <T>(promise: Promise<T>, deadlineMs: number): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      // Timers run before sockets are read; an immediate runs after.
      setImmediate(() => reject(new DeadlineError(`no answer within ${deadlineMs} ms`)));
    }, deadlineMs);
    const settled = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
    };
    promise.then(
      (value) => settled(() => resolve(value)),
      (error: unknown) => settled(() => reject(error)),
    );
  });

/** Replies of a server that is full, loading its data, a replica now, a node of a cluster, or cannot save: not of the command. */
const REFUSES_FOR_NOW =
  /\b(?:OOM|LOADING|READONLY|MISCONF|MASTERDOWN|CLUSTERDOWN|CROSSSLOT|MOVED|ASK|NOREPLICAS|BUSY|TRYAGAIN)\b/;

/** What a replica answers to a write: the server was demoted, and its address may lead to another one by now. */
const DEMOTED = /\bREADONLY\b/;

/** Timeouts of a connection, in milliseconds. */
export interface Patience {
  readonly commandMs: number;
  readonly connectMs: number;
  /** A silent connection is dropped after this long. */
  readonly silenceMs: number;
  readonly pingMs: number;
  /** The longest pause between connection attempts. */
  readonly backoffMs: number;
}

/**
 * Timeouts for a Redis in the same network. A command waits long enough for a busy machine: after its timeout each process counts
 * limits for itself, and more calls are admitted than allowed.
 */
export const DEFAULT_PATIENCE: Patience = {
  commandMs: 2_000,
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
    // Redis before 7.2 does not know the command for it, and a user's rights could not name it.
    disableClientInfo: true,
    // A deadline of the client's own for each command costs more than the command; `send` has one.
    commandOptions: { timeout: 0 },
    ...(pingMs === undefined ? {} : { pingInterval: pingMs }),
    socket: {
      connectTimeout: patience.connectMs,
      socketTimeout: patience.silenceMs,
      reconnectStrategy: (retries: number) => backoffMs(retries, patience.backoffMs),
    },
  });

/** The client, with Assay's scripts. */
export type RedisClient = ReturnType<typeof makeClient>;

interface ConnectionOptions {
  readonly url: string;
  /** Notified when it fails and when it answers. */
  readonly outage: RedisOutage;
  readonly role: ConnectionRole;
  readonly patience?: Partial<Patience>;
  /** Runs each command. */
  readonly around?: CallWrapper | undefined;
}

/** A client with timeouts. Connection errors are reported to the outage and never thrown. */
export class RedisConnection {
  readonly #client: RedisClient;
  readonly #outage: RedisOutage;
  readonly #role: ConnectionRole;
  readonly #patience: Patience;
  readonly #around: CallWrapper | undefined;
  readonly #opened: Promise<void>;
  readonly #forget: () => void;
  #isClosed = false;
  #reconnectedMs = Number.NEGATIVE_INFINITY;
  /** A command timed out; no others are sent until its reply arrives. */
  #isStalled = false;

  constructor({ url, outage, role, patience, around }: ConnectionOptions) {
    this.#patience = { ...DEFAULT_PATIENCE, ...patience };
    this.#outage = outage;
    this.#role = role;
    this.#around = around;
    // A blocking read replies only when there is an event, so a ping queued behind it would look like a dead connection.
    this.#client = makeClient(url, this.#patience, role === "bus" ? undefined : this.#patience.pingMs);
    this.#client.on("error", (error: unknown) => this.#noteAway(error));
    this.#client.on("ready", () => this.#noteReady());
    this.#opened = this.#connect();
    this.#forget = outage.onDemoted(() => this.#reconnect());
  }

  /** Whether a command can currently succeed. */
  get isReady(): boolean {
    return this.#client.isReady && !this.#isStalled;
  }

  /** Waits for the first connection, at most for the connect timeout. */
  async opened(): Promise<void> {
    await withDeadline(this.#opened, this.#patience.connectMs).catch((error: unknown) => {
      // Otherwise it is known why.
      if (!this.#outage.isOn) this.#noteAway(error);
    });
  }

  /**
   * Sends a command.
   * @throws RedisAwayError immediately while Redis is down, on timeout, and when it refuses commands for now
   * @throws ErrorReply when Redis refuses this command
   */
  run<T>(command: (client: RedisClient) => Promise<T>, deadlineMs: number = this.#patience.commandMs): Promise<T> {
    return this.watched(() => this.send(command, deadlineMs));
  }

  /** Times and traces a call that waits for Redis. */
  watched<T>(call: () => Promise<T>): Promise<T> {
    return this.#around ? this.#around(call) : call();
  }

  /** `run` for a command that several calls wait for, each of them watched on its own. */
  async send<T>(command: (client: RedisClient) => Promise<T>, deadlineMs: number = this.#patience.commandMs): Promise<T> {
    if (!this.isReady) throw this.#unsent();
    const answer = command(this.#client);
    try {
      const value = await withDeadline(answer, deadlineMs);
      this.#noteAnswer();
      return value;
    } catch (error) {
      if (error instanceof ErrorReply) {
        if (!REFUSES_FOR_NOW.test(error.message)) throw error;
        const refusal = new RedisAwayError(`Redis refuses commands: ${error.message}`, redisFault(error));
        this.#outage.refused(refusal);
        if (DEMOTED.test(error.message)) this.#outage.demoted();
        throw refusal;
      }
      if (error instanceof DeadlineError) this.#noteStalled(answer);
      this.#noteAway(error);
      throw new RedisAwayError("Redis does not answer", redisFault(error), { cause: error });
    }
  }

  /** Closes the connection; commands in flight get a moment to finish. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    const canFinish = this.isReady && this.#role === "commands";
    this.#isClosed = true;
    this.#forget();
    this.#outage.answered(this.#role);
    if (canFinish) await withDeadline(this.#client.close(), this.#patience.commandMs).catch(() => {});
    this.#client.destroy();
    await this.#opened;
  }

  #connect(): Promise<void> {
    return this.#client.connect().then(
      () => {},
      (error: unknown) => this.#noteAway(error),
    );
  }

  /** Connects again, in case the address has a new server; as long as it does not, no more often than after an outage. */
  #reconnect(): void {
    const nowMs = performance.now();
    if (!this.#client.isReady || nowMs - this.#reconnectedMs < this.#patience.backoffMs) return;
    this.#reconnectedMs = nowMs;
    this.#isStalled = false;
    this.#client.destroy();
    void this.#connect();
  }

  #noteAnswer(): void {
    if (!this.#isStalled) this.#outage.answered(this.#role);
  }

  /** A server that accepts connections may still refuse every command. The bus does not ask: a blocking read tells. */
  #noteReady(): void {
    this.#isStalled = false;
    if (this.#role === "bus") this.#noteAnswer();
    else if (this.#outage.isOn) void this.send((client) => client.ping()).catch(() => {});
  }

  #noteStalled(late: Promise<unknown>): void {
    this.#isStalled = true;
    // Any late reply shows that commands can be sent again, and an answer that Redis is back.
    late.then(
      () => {
        this.#isStalled = false;
        this.#noteAnswer();
      },
      (refusal: unknown) => {
        if (refusal instanceof ErrorReply) this.#isStalled = false;
      },
    );
  }

  #noteAway(error: unknown): void {
    if (!this.#isClosed) this.#outage.failed(this.#role, error);
  }

  #unsent(): RedisAwayError {
    return this.#isClosed ? new RedisAwayError("Redis is unavailable", "closed") : this.#outage.unsent(this.#role);
  }
}
