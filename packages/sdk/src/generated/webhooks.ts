/**
 * Events that endpoints receive, as on the wire: amounts are decimal text, instants ISO-8601.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */

/** How far the clock of a receiver and the timestamp of an event may be apart, in milliseconds. */
export const WEBHOOK_TOLERANCE_MS = 300000;

/** The headers of an event. */
export const WEBHOOK_HEADERS = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
} as const;

/** What is sent to an endpoint, by its type. */
export type WebhookEvent =
  | PriceAboveEvent
  | PriceBelowEvent
  | PriceMovedEvent
  | PriceStaleEvent
  | PriceFreshEvent
  | PriceWithdrawnEvent
  | EndpointTestEvent;

/** A published price is above the threshold, and was not before. */
export interface PriceAboveEvent {
  /** What happened. */
  readonly type: "price.above";
  /** When it happened, with milliseconds. */
  readonly timestamp: string;
  /** The price that an alert fired at. */
  readonly data: FiredData;
}

/** The price that an alert fired at. */
export interface FiredData {
  /** The alert. */
  readonly alert_id: string;
  /** The alert's name; absent from events that earlier versions made. */
  readonly name?: string;
  /** Its symbol. */
  readonly symbol: string;
  /** The alert's threshold: a price, or for moved a percentage. */
  readonly threshold: string;
  /** The price that was published, in the symbol's currency. */
  readonly price: string;
  /** When that price was computed. */
  readonly computed_at: string;
  /** The number of the price among those of its metal. */
  readonly seq: number;
  /** How many earlier events of the alert were left out, as more than ten waited; absent for none. */
  readonly merged?: number;
}

/** A published price is below the threshold, and was not before. */
export interface PriceBelowEvent {
  /** What happened. */
  readonly type: "price.below";
  /** When it happened, with milliseconds. */
  readonly timestamp: string;
  /** The price that an alert fired at. */
  readonly data: FiredData;
}

/** A published price differs by the threshold from another of the window. */
export interface PriceMovedEvent {
  /** What happened. */
  readonly type: "price.moved";
  /** When it happened, with milliseconds. */
  readonly timestamp: string;
  /** The price that an alert fired at, and of a move the one from which it moved. */
  readonly data: MovedData;
}

/** The price that an alert fired at, and of a move the one from which it moved. */
export interface MovedData {
  /** The alert. */
  readonly alert_id: string;
  /** The alert's name; absent from events that earlier versions made. */
  readonly name?: string;
  /** Its symbol. */
  readonly symbol: string;
  /** The alert's threshold: a price, or for moved a percentage. */
  readonly threshold: string;
  /** The price that was published, in the symbol's currency. */
  readonly price: string;
  /** When that price was computed. */
  readonly computed_at: string;
  /** The number of the price among those of its metal. */
  readonly seq: number;
  /** How many earlier events of the alert were left out, as more than ten waited; absent for none. */
  readonly merged?: number;
  /** Of a move: the lowest or highest price of the window, from which it moved. */
  readonly reference_price?: string;
  /** Of a move: by how many percent, with its sign and at most four decimals. */
  readonly change_percent?: string;
}

/** The price is past its freshness window, although the market is open. */
export interface PriceStaleEvent {
  /** What happened. */
  readonly type: "price.stale";
  /** When it happened, with milliseconds. */
  readonly timestamp: string;
  /** The last published price of a symbol, and why it is stale. */
  readonly data: StalenessData;
}

/** The last published price of a symbol, and why it is stale. */
export interface StalenessData {
  /** The alert. */
  readonly alert_id: string;
  /** The alert's name; absent from events that earlier versions made. */
  readonly name?: string;
  /** Its symbol. */
  readonly symbol: string;
  /** Why the price is stale; absent once it is fresh. */
  readonly stale_reason?: "market_closed" | "feed_down" | "fx_fallback";
  /** The price that was published, in the symbol's currency. */
  readonly price: string;
  /** When that price was computed. */
  readonly computed_at: string;
  /** The number of the price among those of its metal. */
  readonly seq: number;
  /** How many earlier events of the alert were left out, as more than ten waited; absent for none. */
  readonly merged?: number;
}

/** The price is fresh again, after price.stale. */
export interface PriceFreshEvent {
  /** What happened. */
  readonly type: "price.fresh";
  /** When it happened, with milliseconds. */
  readonly timestamp: string;
  /** The last published price of a symbol, and why it is stale. */
  readonly data: StalenessData;
}

/** A price proved wrong and was withdrawn: alert_id and seq are those of the event that it takes back. */
export interface PriceWithdrawnEvent {
  /** What happened. */
  readonly type: "price.withdrawn";
  /** When it happened, with milliseconds. */
  readonly timestamp: string;
  /** The price that an alert fired at, and of a move the one from which it moved. */
  readonly data: MovedData;
}

/** A test that its owner asked for. */
export interface EndpointTestEvent {
  /** What happened. */
  readonly type: "endpoint.test";
  /** When it happened, with milliseconds. */
  readonly timestamp: string;
  /** The endpoint that is tested. */
  readonly data: TestData;
}

/** The endpoint that is tested. */
export interface TestData {
  /** The endpoint. */
  readonly endpoint_id: string;
}
