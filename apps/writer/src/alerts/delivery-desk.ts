/**
 * Sends the events of the outbox in a term: at least once, with the same id in every try. Each endpoint has a queue of its own with
 * two events on their way at most, so that one that hangs holds up no other.
 */
import { SECOND_MS, type TierCatalog, WEBHOOK_HEADERS } from "@assay/contract";
import {
  type DeliveryResult,
  type DueDelivery,
  type OutgoingDelivery,
  readDueDeliveries,
  readOutgoing,
  readWaitingDeliveries,
  StaleTokenError,
  type Store,
  type WaitingDeliveries,
  type WriterToken,
  writeDeliveryResults,
} from "@assay/db";
import type { Time } from "@assay/ports";
import type { MetricReading } from "@assay/process";
import { Webhook } from "standardwebhooks";
import { endsWithin } from "../term/within.ts";
import type { WriterLog } from "../writer-log.ts";
import { Allowance, outcomeOf, withheld } from "./attempts.ts";
import type { Post, PostResult, WebhookMessage } from "./receiver.ts";

/** Events on their way to one endpoint at most. */
const MOST_PER_ENDPOINT = 2;
/** Events of one endpoint that are read at once. */
const READ_PER_ENDPOINT = 20;
/** How long the end of a term waits, at most, for deliveries to stop and their results to be stored. */
const END_WITHIN_MS = 3 * SECOND_MS;
/** How often what waits is counted, for the operator. */
const COUNT_EVERY_MS = 15 * SECOND_MS;

export interface DeliveryDeskParts {
  readonly store: Store;
  readonly writer: WriterToken;
  readonly clock: Time;
  readonly log: Pick<WriterLog, "warn" | "fault">;
  readonly catalog: Pick<TierCatalog, "tiers">;
  readonly post: Post;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** How long the end of the term waits for what is on its way; three seconds by default. */
  readonly endWithinMs?: number;
}

/** What waits for one endpoint, in this process: by id alone, as what is sent and where to may change until then. */
interface EndpointQueue {
  readonly waiting: DueDelivery[];
  running: number;
}

/** An event as it is sent: signed by its endpoint's secret, and for a day after a rotation by those before, too. */
export const messageOf = (event: OutgoingDelivery, nowMs: number): WebhookMessage => {
  const { id, url, secret, previousSecret, previousUntilMs, payload } = event;
  const isPreviousValid = previousSecret !== null && previousUntilMs !== null && nowMs < previousUntilMs;
  const secrets = isPreviousValid ? [secret, ...previousSecret.split(" ")] : [secret];
  const at = new Date(nowMs);
  return {
    url,
    body: payload,
    headers: {
      "content-type": "application/json",
      "user-agent": "assay-webhooks",
      [WEBHOOK_HEADERS.id]: id,
      [WEBHOOK_HEADERS.timestamp]: String(Math.floor(nowMs / SECOND_MS)),
      [WEBHOOK_HEADERS.signature]: secrets.map((each) => new Webhook(each).sign(id, at, payload)).join(" "),
    },
  };
};

export class DeliveryDesk {
  readonly #parts: DeliveryDeskParts;
  readonly #queues = new Map<string, EndpointQueue>();
  /** Events that this process has: queued, on their way, or with a result that is not stored yet. */
  readonly #held = new Set<string>();
  /** Endpoints that were disabled in this term: their last tries may end together. */
  readonly #disabled = new Set<string>();
  readonly #allowance = new Allowance();
  readonly #leaving = new AbortController();
  readonly #working = new Set<Promise<void>>();
  #results: DeliveryResult[] = [];
  #isStoring = false;
  #isReading = false;
  /** To be sent now, once they are read. */
  #picked: DueDelivery[] = [];
  #isPicking = false;
  #counts = { delivered: 0, retried: 0, failed: 0 };
  #waiting: WaitingDeliveries = { count: 0, oldestMs: null };
  #countedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: DeliveryDeskParts) {
    this.#parts = parts;
  }

  /** Sends what has become due, without waiting for it; called every second. */
  wake(): void {
    if (this.#leaving.signal.aborted) return;
    this.#track(this.#store());
    if (!this.#isReading) this.#track(this.#read());
  }

  #track(work: Promise<void>): void {
    const watched = work
      .catch((error: unknown) => {
        // A newer writer sends what is left.
        if (error instanceof StaleTokenError) this.#leaving.abort();
        else this.#parts.log.fault(error, "failed to deliver events; retrying");
      })
      .finally(() => this.#working.delete(watched));
    this.#working.add(watched);
  }

  async #read(): Promise<void> {
    const { store, clock } = this.#parts;
    this.#isReading = true;
    try {
      const nowMs = clock();
      for (const due of await readDueDeliveries(store, nowMs, READ_PER_ENDPOINT)) {
        if (this.#held.has(due.id)) continue;
        this.#held.add(due.id);
        const queue = this.#queues.get(due.endpointId) ?? { waiting: [], running: 0 };
        this.#queues.set(due.endpointId, queue);
        queue.waiting.push(due);
      }
      for (const endpointId of this.#queues.keys()) this.#pump(endpointId);
      this.#track(this.#dispatch());
      if (nowMs - this.#countedMs >= COUNT_EVERY_MS) {
        this.#waiting = await readWaitingDeliveries(store);
        this.#countedMs = nowMs;
      }
    } finally {
      this.#isReading = false;
    }
  }

  /** Picks what one endpoint may be sent now. */
  #pump(endpointId: string): void {
    const { clock, catalog } = this.#parts;
    const queue = this.#queues.get(endpointId);
    if (!queue) return;
    while (queue.running < MOST_PER_ENDPOINT && !this.#leaving.signal.aborted) {
      const [due] = queue.waiting;
      if (!due || !this.#allowance.take(due.orgId, catalog.tiers[due.tier].rate_limit_per_minute, clock())) break;
      queue.waiting.shift();
      queue.running += 1;
      this.#picked.push(due);
    }
    if (queue.running === 0 && queue.waiting.length === 0) this.#queues.delete(endpointId);
  }

  /** Reads and sends what is picked: all that was picked while the last was read, in one query. */
  async #dispatch(): Promise<void> {
    if (this.#isPicking) return;
    this.#isPicking = true;
    try {
      while (this.#picked.length > 0) await this.#take(this.#picked.splice(0));
    } finally {
      this.#isPicking = false;
    }
  }

  async #take(picked: readonly DueDelivery[]): Promise<void> {
    const left = new Map(picked.map((due) => [due.id, due]));
    try {
      const ids = [...left.keys()];
      for (const event of await readOutgoing(this.#parts.store, ids)) {
        left.delete(event.id);
        this.#track(this.#send(event).finally(() => this.#next(event.endpointId)));
      }
    } finally {
      // Not to be sent any more, or not read: then it is due again.
      for (const { id, endpointId, orgId } of left.values()) {
        this.#held.delete(id);
        this.#allowance.giveBack(orgId);
        this.#next(endpointId);
      }
    }
  }

  /** One of its events is done. */
  #next(endpointId: string): void {
    const queue = this.#queues.get(endpointId);
    if (queue) queue.running -= 1;
    this.#pump(endpointId);
    this.#track(this.#dispatch());
  }

  async #send(event: OutgoingDelivery): Promise<void> {
    const { clock, post, random, log, catalog } = this.#parts;
    const refused = withheld(event, catalog, clock());
    if (refused) return this.#end(event, refused);
    let result: PostResult;
    try {
      result = await post(messageOf(event, clock()), this.#leaving.signal);
    } catch (error) {
      log.fault(error, "failed to send an event; retrying later");
      result = { fault: "closed" };
    }
    if (result) await this.#end(event, outcomeOf(event, result, clock(), random()));
  }

  #end(event: OutgoingDelivery, result: DeliveryResult): Promise<void> {
    if (result.isTry) this.#counts[result.status === "pending" ? "retried" : result.status] += 1;
    this.#results.push(result);
    if (result.status === "delivered") this.#disabled.delete(event.endpointId);
    if (result.disables !== null) this.#giveUp(event, result.disables);
    return this.#store();
  }

  /** What else waits for the endpoint fails in the store. */
  #giveUp({ endpointId, orgId, isDisabled }: OutgoingDelivery, reason: string): void {
    for (const { id } of this.#queues.get(endpointId)?.waiting.splice(0) ?? []) this.#held.delete(id);
    if (isDisabled || this.#disabled.has(endpointId)) return;
    this.#disabled.add(endpointId);
    this.#parts.log.warn("an endpoint is disabled", { endpoint: endpointId, organisation: orgId, reason });
  }

  /** Stores results, all that have come while the last ones were stored in one statement. */
  async #store(): Promise<void> {
    if (this.#isStoring) return;
    const { store, writer } = this.#parts;
    this.#isStoring = true;
    try {
      while (this.#results.length > 0) {
        const results = this.#results.slice();
        await writeDeliveryResults(store, writer, results);
        // Others may have come meanwhile.
        this.#results = this.#results.slice(results.length);
        for (const { id } of results) this.#held.delete(id);
      }
    } finally {
      this.#isStoring = false;
    }
  }

  /** Figures for the operator's metrics. */
  readings(): MetricReading[] {
    const { count, oldestMs } = this.#waiting;
    const ageMs = oldestMs === null ? 0 : Math.max(0, this.#parts.clock() - oldestMs);
    const gauge = (name: string, help: string, value: number): MetricReading => ({ name, help, kind: "gauge", value });
    return [
      gauge("assay_webhook_pending", "Events that wait to be delivered, now or at a later try", count),
      gauge("assay_webhook_oldest_pending_seconds", "Age of the oldest of them", ageMs / SECOND_MS),
      ...Object.entries(this.#counts).map(
        ([outcome, value]): MetricReading => ({
          name: "assay_webhook_tries_total",
          help: "Tries to deliver an event in this term, by what became of it",
          kind: "counter",
          labels: { outcome },
          value,
        }),
      ),
    ];
  }

  /** Waits until nothing is being read, sent or stored. */
  async settled(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working);
  }

  /**
   * Gives up what is on its way, which the next term sends again, and stores the results there are. No receiver delays the end of
   * the term: what has not stopped in time is left behind, and may change nothing any more.
   */
  async end(): Promise<void> {
    const { endWithinMs = END_WITHIN_MS, clock, log } = this.#parts;
    this.#leaving.abort();
    if (await endsWithin(this.settled(), endWithinMs, clock)) return;
    log.warn("deliveries did not stop in time; leaving them behind", { endpoints: this.#queues.size });
  }
}
