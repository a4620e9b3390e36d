/** Outages of Redis as one process sees them: its connections together, a line at the beginning and one at the end. */
import { type Clock, networkFault } from "@assay/ports";
import { type Log, Outage } from "../log.ts";

/**
 * Redis does not answer, or refuses commands for now. The command may still have been executed. Not in `redis-connection.ts`: a
 * process without Redis does not load the client, the largest module of all.
 */
export class RedisAwayError extends Error {
  override readonly name = "RedisAwayError";
  /** Why, in one word. */
  readonly class: string;
  constructor(message: string, why: string, options?: ErrorOptions) {
    super(message, options);
    this.class = why;
  }
}

/** What replies mean, by their first word. */
const REPLIES: Readonly<Record<string, string>> = {
  WRONGPASS: "login_refused",
  NOAUTH: "login_refused",
  NOPERM: "not_permitted",
  OOM: "full",
  MISCONF: "cannot_save",
  LOADING: "loading",
  BUSY: "busy",
  READONLY: "read_only",
  MASTERDOWN: "read_only",
  NOREPLICAS: "read_only",
  "ERR AUTH": "login_refused",
  "ERR max": "too_many_connections",
};

/** A failure of a connection or a reply of the server, in one word. */
export const redisFault = (error: unknown): string => {
  if (!(error instanceof Error)) return "unreachable";
  if (error instanceof RedisAwayError) return error.class;
  if ("code" in error && typeof error.code === "string") return networkFault(error.code);
  if (/Timeout|DeadlineError/.test(error.constructor.name)) return "timeout";
  const [word = "", next = ""] = error.message.split(" ", 2);
  return REPLIES[word] ?? REPLIES[`${word} ${next}`] ?? (/^[A-Z]{2,}$/.test(word) ? "refused" : "unreachable");
};

/** A server that refuses some commands still answers others: it counts as well again after this long without a refusal. */
const REFUSAL_LASTS_MS = 10_000;

export type ConnectionRole = "commands" | "bus";

/** Shared by the connections of a process. */
export class RedisOutage {
  readonly #outage: Outage;
  readonly #clock: Clock;
  readonly #away = new Set<ConnectionRole>();
  readonly #reconnecting = new Set<() => void>();
  #refusedMs: number | null = null;

  constructor(log: Log, clock: Clock) {
    const lines = {
      fields: { engine: "redis" },
      begins: "redis is unavailable; retrying",
      lasts: "redis is still unavailable; retrying",
      ends: "redis is available again",
    };
    this.#clock = clock;
    this.#outage = new Outage({ log, clock, lines });
  }

  /** Whether any connection is without an answer. */
  get isOn(): boolean {
    return this.#outage.isOn;
  }

  /** The class of the present cause; null while all is well. */
  get class(): string | null {
    return this.#outage.class;
  }

  /** A connection failed, or a command on it. */
  failed(role: ConnectionRole, error: unknown): void {
    this.#away.add(role);
    this.#outage.failed({ role, class: redisFault(error), reason: error instanceof Error ? error.message : String(error) });
  }

  /** A command was not sent, because the connection is away. @returns what to throw */
  unsent(role: ConnectionRole): RedisAwayError {
    this.#away.add(role);
    this.#outage.failed(null);
    return new RedisAwayError("Redis is unavailable", this.#outage.class ?? "unreachable");
  }

  /** The server refused a command for now: it is full, loading, or a replica. */
  refused(error: RedisAwayError): void {
    this.#refusedMs = this.#clock();
    this.#outage.failed({ class: error.class, reason: error.message });
  }

  /** The server is a replica now: every connection to it is of no use, those that only read included. */
  demoted(): void {
    for (const reconnect of this.#reconnecting) reconnect();
  }

  /** Notifies a connection of that. @returns a function that ends it */
  onDemoted(reconnect: () => void): () => void {
    this.#reconnecting.add(reconnect);
    return () => this.#reconnecting.delete(reconnect);
  }

  /** A connection answers, or is closed. The outage is over when all do, and none has been refused for a while. */
  answered(role: ConnectionRole): void {
    if (!this.#outage.isOn) return;
    this.#away.delete(role);
    if (this.#refusedMs !== null && this.#clock() - this.#refusedMs < REFUSAL_LASTS_MS) return;
    this.#refusedMs = null;
    if (this.#away.size === 0) this.#outage.recovered();
  }
}
