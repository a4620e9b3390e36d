/** What to do instead of a parameter that a route does not have, where several routes share the answer. */

/** Hints by a parameter's name in lower case, without `_` and `-`. */
export type Hints = Readonly<Record<string, string>>;

/** The same hint for several names. */
export const hints = (names: readonly string[], way: string): Hints => Object.fromEntries(names.map((name) => [name, way]));

/** Names of an instant or a day. */
export const MOMENT_NAMES = ["at", "asof", "date", "day", "time", "timestamp", "historical"] as const;

export const ORDER_NAMES = ["order", "orderby", "sort", "sortby", "direction"] as const;

/** For routes that page both ways. */
export const ORDER_HINTS: Hints = hints(["orderby", "sort", "sortby", "direction"], "oldest first is order=asc");

export const INTERVAL_NAMES = ["timeframe", "resolution", "granularity", "period"] as const;

/** Names of a page's place. */
export const PAGE_NAMES = ["page", "offset", "skip"] as const;

export const UNIT_NAMES = ["unit", "units", "weight", "weightunit"] as const;

export const CURRENCY_NAMES = ["currency", "quote", "quotecurrency", "base", "in"] as const;

/** For routes whose symbol names the currency. */
export const SYMBOL_HINTS: Hints = hints(
  CURRENCY_NAMES,
  "the currency is part of the symbol; gold in euros is the symbol XAU-EUR-SPOT",
);

/** For routes of prices by symbol, in the unit of the metal. */
export const SPOT_HINTS: Hints = {
  ...SYMBOL_HINTS,
  ...hints(
    UNIT_NAMES,
    "prices are per troy ounce, copper per pound; gold per gram is include=karat, ounces and kilograms are on /v1/convert, any other weight on /v1/quotes, past days on /v1/series",
  ),
};

/** For routes of current prices by symbol. */
export const PRICE_HINTS: Hints = {
  ...SPOT_HINTS,
  ...hints(MOMENT_NAMES, "the price at an instant is /v1/spot/{symbol}?at=, the prices of many days are /v1/series and /v1/bars"),
};

/** For routes that convert at the current price. */
export const CONVERSION_HINTS: Hints = hints(
  MOMENT_NAMES,
  "historical conversion is not supported; a past price is /v1/spot/{symbol}?at=, one of each day in any currency and unit /v1/series",
);

/** For routes that read a window. */
export const EDGE_HINTS: Hints = {
  ...hints(["start", "startdate", "starttime", "since", "after"], "the window begins at from"),
  ...hints(["end", "enddate", "endtime", "until", "before"], "the window ends at to"),
};

/** For routes that read windows of daily or shorter rows in USD. */
export const WINDOW_HINTS: Hints = {
  ...EDGE_HINTS,
  ...hints(MOMENT_NAMES, "one day is a window with from and to on that day"),
  ...hints(UNIT_NAMES, "prices are per troy ounce, copper per pound, GLD per share; other weights are on /v1/series"),
  ...hints(CURRENCY_NAMES, "prices are in USD; other currencies are on /v1/series"),
};

/** For routes that repeat what they answered. */
export const KNOWN_HINTS: Hints = hints(
  ["vintage", "revision", "snapshot", "knowledgetime"],
  "what this service had committed by an instant is known_at",
);

/** For every route. */
export const GENERAL_HINTS: Hints = hints(
  ["apikey", "xapikey", "key", "token", "accesskey", "accesstoken", "authorization"],
  "a key is sent in the header Authorization: Bearer or X-API-Key, never in an address",
);
