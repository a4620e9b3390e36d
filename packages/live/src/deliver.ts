/** Gives events and gaps to subscribers, each shielded from the faults of the others. */
import type { BusGap, LiveLog, MarketEvent, SubscribeOptions } from "./ports.ts";

/** One subscription. */
export interface Subscriber {
  readonly handler: (event: MarketEvent) => void;
  readonly onGap: SubscribeOptions["onGap"];
}

const report = (log: LiveLog, error: unknown): void => log.error({ err: error }, "a bus subscriber failed; the others go on");

/** Calls back, and reports what it throws, now or as a rejected promise. */
const shielded = (log: LiveLog, call: () => unknown): void => {
  try {
    const outcome = call();
    if (outcome instanceof Promise) outcome.catch((error: unknown) => report(log, error));
  } catch (error) {
    report(log, error);
  }
};

/** Tells an event to a subscriber. */
export const deliver = (subscriber: Subscriber, event: MarketEvent, log: LiveLog): void =>
  shielded(log, () => subscriber.handler(event));

/** Tells a subscriber that it missed something. */
export const deliverGap = (subscriber: Subscriber, gap: BusGap, log: LiveLog): void =>
  shielded(log, () => subscriber.onGap?.(gap));
