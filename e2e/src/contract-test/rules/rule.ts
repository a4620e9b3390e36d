/** A rule every answer of a route is held to, whatever it was asked for. */
import type { Route, TierCatalog } from "@assay/contract";
import type { Exchange } from "../wire/exchange.ts";

/** An answer and what it is judged by. */
export interface Subject {
  readonly route: Route;
  readonly exchange: Exchange;
  /** The tiers as the deployment tells of them. */
  readonly catalog: TierCatalog;
  /** The service's own time when it was asked and when the answer was read, epoch milliseconds. */
  readonly askedAtMs: number;
  readonly readAtMs: number;
}

/** One rule. */
export interface Rule {
  readonly title: string;
  /** What the contract says, in a sentence. */
  readonly says: string;
  /** Every fault in words; null where the rule does not apply. */
  judge(subject: Subject): string[] | null;
}

/** Whether the route's own method, or HEAD for it, was asked. */
export const isOwnMethod = ({ route, exchange }: Subject): boolean =>
  exchange.sent.method === route.method || (exchange.sent.method === "HEAD" && route.method === "GET");

/** Whether an answer is the route's success. */
export const isSuccess = (subject: Subject): boolean =>
  isOwnMethod(subject) && subject.exchange.status === subject.route.success.status;
