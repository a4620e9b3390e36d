/** A few hand-written operations, so that the core is tested independently of the generated code. */
import type { Operation } from "../core/operation.ts";
import type { Decimal } from "../core/published-decimal.ts";

export interface Bar {
  readonly barStart: Date;
  readonly close: Decimal | null;
  readonly isClosed: boolean;
}
export interface WireBar {
  readonly bar_start: string;
  readonly close: string | null;
  readonly is_closed: boolean;
}
export interface Bars {
  readonly bars: readonly Bar[];
  readonly nextCursor: string | null;
}
export interface WireBars {
  readonly bars: readonly WireBar[];
  readonly next_cursor: string | null;
}
export interface Spot {
  readonly symbol: string;
  readonly price: Decimal;
  readonly computedAt: Date;
}
export interface WireSpot {
  readonly symbol: string;
  readonly price: string;
  readonly computed_at: string;
}

/** GET /v1/spot/{symbol} */
export const getSpot: Operation<Spot, WireSpot> = {
  name: "spot.get",
  method: "GET",
  path: "/v1/spot/{symbol}",
  parameters: "symbol include:w",
  result: { fields: "symbol price:d computed_at:i~" },
};

/** The answer to `getSpot`. */
export const SPOT: WireSpot = { symbol: "XAU", price: "4003.20", computed_at: "2026-11-20T14:03:27Z" };

/** GET /v1/echo: one parameter of each kind. */
export const echo: Operation<unknown, unknown> = {
  name: "test.echo",
  method: "GET",
  path: "/v1/echo",
  parameters: "text amount:d at:i day:y include:w key_id",
  result: "same",
};

/** GET /v1/bars */
export const listBars: Operation<Bars, WireBars> = {
  name: "bars.list",
  method: "GET",
  path: "/v1/bars",
  parameters: "symbol interval from:i to:i limit cursor order",
  result: { fields: "", parts: { bars: { list: { fields: "bar_start:i~ close:d~" } } } },
  paging: { items: "bars", closed: "is_closed" },
};

/** POST /v1/account/keys */
export const mintKey: Operation<{ plaintext: string }, { plaintext: string }> = {
  name: "account.mintKey",
  method: "POST",
  path: "/v1/account/keys",
  parameters: "name",
  result: { fields: "" },
};

/** POST /v1/quotes: a computation, from objects. */
export const createQuotes: Operation<{ currency: string }, { currency: string }> = {
  name: "quotes.create",
  method: "POST",
  path: "/v1/quotes",
  parameters: "currency items",
  parts: {
    items: { list: { fields: "weight:d~ margin_percent:d~", parts: { making: { fields: "per_gram:d~" } } } },
  },
  result: { fields: "" },
  computes: true,
};

/** DELETE /v1/account/keys/{key_id} */
export const revokeKey: Operation<void, undefined> = {
  name: "account.revokeKey",
  method: "DELETE",
  path: "/v1/account/keys/{key_id}",
  parameters: "key_id",
  result: null,
};
