/** A rule that every answer of a route must satisfy, whatever the request. */
import type { Route, TierCatalog } from "@assay/contract";
import type { Exchange } from "../wire/exchange.ts";

/** An object of an answer. */
export type AnswerObject = Readonly<Record<string, unknown>>;

/** An answer and the context it is checked in. */
export interface Subject {
  readonly route: Route;
  readonly exchange: Exchange;
  /** The tiers the deployment reports. */
  readonly catalog: TierCatalog;
  /** The service's clock when the request was sent and when the answer was read, epoch milliseconds. */
  readonly askedAtMs: number;
  readonly readAtMs: number;
  /** How long the sources of each metal's price stay fresh, in milliseconds, as far as that is known. */
  readonly freshForMs?: ReadonlyMap<string, number> | undefined;
}

export interface Rule {
  readonly title: string;
  /** What the contract says, in a sentence. */
  readonly says: string;
  /** Every violation in words; null when the rule does not apply. */
  judge(subject: Subject): string[] | null;
}

/** Whether the request used the route's own method, or HEAD in place of GET. */
export const isOwnMethod = ({ route, exchange }: Subject): boolean =>
  exchange.sent.method === route.method || (exchange.sent.method === "HEAD" && route.method === "GET");

export const isSuccess = (subject: Subject): boolean =>
  isOwnMethod(subject) && subject.exchange.status === subject.route.success.status;
