/** Delivers events and gaps to subscribers; a fault in one does not affect the others. */
import type { Log } from "./log.ts";
import type { BusGap, MarketEvent, SubscribeOptions } from "./ports.ts";

/** One subscription. */
export interface Subscriber {
  readonly handler: (event: MarketEvent) => void;
  readonly onGap: SubscribeOptions["onGap"];
}

const report = (log: Log, error: unknown): void => log.error({ err: error }, "a bus subscriber failed; the others continue");

/** Runs the callback and reports what it throws, sync or as a rejected promise. */
const shielded = (log: Log, call: () => unknown): void => {
  try {
    const outcome = call();
    if (outcome instanceof Promise) outcome.catch((error: unknown) => report(log, error));
  } catch (error) {
    report(log, error);
  }
};

/** Delivers an event to a subscriber. */
export const deliver = (subscriber: Subscriber, event: MarketEvent, log: Log): void =>
  shielded(log, () => subscriber.handler(event));

/** Notifies a subscriber of a gap. */
export const deliverGap = (subscriber: Subscriber, gap: BusGap, log: Log): void => shielded(log, () => subscriber.onGap?.(gap));
