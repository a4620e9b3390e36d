/**
 * Each method's request and answer, as a table for the core.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { Operation } from "../core/operation.ts";
import { receiptOf } from "../core/receipt-of.ts";
import {
  arbitrageSignals,
  barsPage,
  conversion,
  divergence,
  downloadLink,
  forwardView,
  health,
  history,
  horizonIndex,
  karatPrices,
  key,
  latestBar,
  latestRatio,
  mintedKey,
  physicalIndex,
  physicalQuotes,
  prices,
  publicHistory,
  ratiosPage,
  settlements,
  spotRow,
  status,
  surface,
  tier,
  usage,
} from "./shapes.ts";
import type {
  ArbitrageSignals,
  BarsPage,
  Conversion,
  Divergence,
  DownloadLink,
  ForwardView,
  Health,
  History,
  HorizonIndex,
  KaratPrices,
  Key,
  LatestBar,
  LatestRatio,
  MintedKey,
  PhysicalIndex,
  PhysicalQuotes,
  Prices,
  PublicHistory,
  RatiosPage,
  Settlements,
  SpotRow,
  Status,
  Surface,
  Tier,
  Usage,
} from "./types.ts";
import type * as Wire from "./wire.ts";

/** GET /v1/health */
export const systemHealth: Operation<Health, Wire.Health> = {
  name: "system.health",
  method: "GET",
  path: "/v1/health",
  parameters: {},
  result: health,
};

/** GET /v1/status */
export const systemStatus: Operation<Status, Wire.Status> = {
  name: "system.status",
  method: "GET",
  path: "/v1/status",
  parameters: {},
  result: status,
};

/** GET /v1/metadata/tiers */
export const tiersList: Operation<readonly Tier[], readonly Wire.Tier[]> = {
  name: "tiers.list",
  method: "GET",
  path: "/v1/metadata/tiers",
  parameters: {},
  result: { list: tier },
};

/** GET /v1/public/xau-history */
export const publicHistoryXau: Operation<PublicHistory, Wire.PublicHistory> = {
  name: "publicHistory.xau",
  method: "GET",
  path: "/v1/public/xau-history",
  parameters: {},
  result: publicHistory,
};

/** GET /v1/prices */
export const pricesList: Operation<Prices, Wire.Prices> = {
  name: "prices.list",
  method: "GET",
  path: "/v1/prices",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    include: { in: "query", name: "include", kind: "words" },
  },
  result: prices,
};

/** GET /v1/prices/divergence */
export const pricesDivergence: Operation<Divergence, Wire.Divergence> = {
  name: "prices.divergence",
  method: "GET",
  path: "/v1/prices/divergence",
  parameters: {
    threshold: { in: "query", name: "threshold", kind: "text" },
  },
  result: divergence,
};

/** GET /v1/prices/history */
export const pricesHistory: Operation<History, Wire.History> = {
  name: "prices.history",
  method: "GET",
  path: "/v1/prices/history",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    from: { in: "query", name: "from", kind: "day" },
    to: { in: "query", name: "to", kind: "day" },
    interval: { in: "query", name: "interval", kind: "text" },
    limit: { in: "query", name: "limit", kind: "text" },
  },
  result: history,
  deprecated: { successor: "bars.list" },
};

/** GET /v1/spot/{symbol} */
export const spotGet: Operation<SpotRow, Wire.SpotRow> = {
  name: "spot.get",
  method: "GET",
  path: "/v1/spot/{symbol}",
  parameters: {
    symbol: { in: "path", name: "symbol", kind: "text" },
    include: { in: "query", name: "include", kind: "words" },
  },
  result: spotRow,
};

/** GET /v1/bars */
export const barsList: Operation<BarsPage, Wire.BarsPage> = {
  name: "bars.list",
  method: "GET",
  path: "/v1/bars",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    interval: { in: "query", name: "interval", kind: "text" },
    from: { in: "query", name: "from", kind: "instant" },
    to: { in: "query", name: "to", kind: "instant" },
    limit: { in: "query", name: "limit", kind: "text" },
    cursor: { in: "query", name: "cursor", kind: "text" },
  },
  result: barsPage,
  paging: { items: "bars", at: "bar_start", step: { parameter: "interval" }, closed: "is_closed" },
};

/** GET /v1/bars/latest */
export const barsLatest: Operation<LatestBar, Wire.LatestBar> = {
  name: "bars.latest",
  method: "GET",
  path: "/v1/bars/latest",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    interval: { in: "query", name: "interval", kind: "text" },
  },
  result: latestBar,
};

/** GET /v1/download */
export const downloadsLink: Operation<DownloadLink, Wire.DownloadLink> = {
  name: "downloads.link",
  method: "GET",
  path: "/v1/download",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    year: { in: "query", name: "year", kind: "text" },
    interval: { in: "query", name: "interval", kind: "text" },
    fmt: { in: "query", name: "fmt", kind: "text" },
  },
  result: downloadLink,
  redirects: true,
};

/** GET /v1/ratios */
export const ratiosList: Operation<RatiosPage, Wire.RatiosPage> = {
  name: "ratios.list",
  method: "GET",
  path: "/v1/ratios",
  parameters: {
    pair: { in: "query", name: "pair", kind: "text" },
    from: { in: "query", name: "from", kind: "day" },
    to: { in: "query", name: "to", kind: "day" },
    limit: { in: "query", name: "limit", kind: "text" },
    cursor: { in: "query", name: "cursor", kind: "text" },
  },
  result: ratiosPage,
  paging: { items: "points", at: "date", step: { interval: "1d" } },
};

/** GET /v1/ratios/latest */
export const ratiosLatest: Operation<LatestRatio, Wire.LatestRatio> = {
  name: "ratios.latest",
  method: "GET",
  path: "/v1/ratios/latest",
  parameters: {
    pair: { in: "query", name: "pair", kind: "text" },
  },
  result: latestRatio,
};

/** GET /v1/settlements */
export const settlementsList: Operation<Settlements, Wire.Settlements> = {
  name: "settlements.list",
  method: "GET",
  path: "/v1/settlements",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    from: { in: "query", name: "from", kind: "day" },
    to: { in: "query", name: "to", kind: "day" },
    limit: { in: "query", name: "limit", kind: "text" },
  },
  result: settlements,
};

/** GET /v1/forward-view/{asset} */
export const forwardViewGet: Operation<ForwardView, Wire.ForwardView> = {
  name: "forwardView.get",
  method: "GET",
  path: "/v1/forward-view/{asset}",
  parameters: {
    asset: { in: "path", name: "asset", kind: "text" },
  },
  result: forwardView,
};

/** GET /v1/convert */
export const convertGet: Operation<Conversion, Wire.Conversion> = {
  name: "convert.get",
  method: "GET",
  path: "/v1/convert",
  parameters: {
    from: { in: "query", name: "from", kind: "text" },
    to: { in: "query", name: "to", kind: "text" },
    amount: { in: "query", name: "amount", kind: "decimal" },
    unit: { in: "query", name: "unit", kind: "text" },
  },
  result: conversion,
};

/** GET /v1/carat */
export const caratGet: Operation<KaratPrices, Wire.KaratPrices> = {
  name: "carat.get",
  method: "GET",
  path: "/v1/carat",
  parameters: {
    currency: { in: "query", name: "currency", kind: "text" },
  },
  result: karatPrices,
};

/** GET /v1/physical */
export const physicalList: Operation<PhysicalIndex, Wire.PhysicalIndex> = {
  name: "physical.list",
  method: "GET",
  path: "/v1/physical",
  parameters: {},
  result: physicalIndex,
};

/** GET /v1/physical/{country} */
export const physicalGet: Operation<PhysicalQuotes, Wire.PhysicalQuotes> = {
  name: "physical.get",
  method: "GET",
  path: "/v1/physical/{country}",
  parameters: {
    country: { in: "path", name: "country", kind: "text" },
  },
  result: physicalQuotes,
};

/** GET /v1/surface/{metal} */
export const surfaceGet: Operation<Surface, Wire.Surface> = {
  name: "surface.get",
  method: "GET",
  path: "/v1/surface/{metal}",
  parameters: {
    metal: { in: "path", name: "metal", kind: "text" },
    horizon: { in: "query", name: "horizon", kind: "day" },
  },
  result: surface,
};

/** GET /v1/surface/{metal}/expiries */
export const surfaceExpiries: Operation<HorizonIndex, Wire.HorizonIndex> = {
  name: "surface.expiries",
  method: "GET",
  path: "/v1/surface/{metal}/expiries",
  parameters: {
    metal: { in: "path", name: "metal", kind: "text" },
  },
  result: horizonIndex,
};

/** GET /v1/signals/arbitrage */
export const signalsArbitrage: Operation<ArbitrageSignals, Wire.ArbitrageSignals> = {
  name: "signals.arbitrage",
  method: "GET",
  path: "/v1/signals/arbitrage",
  parameters: {
    metal: { in: "query", name: "metal", kind: "text" },
  },
  result: arbitrageSignals,
};

/** GET /v1/account/keys */
export const accountListKeys: Operation<readonly Key[], readonly Wire.Key[]> = {
  name: "account.listKeys",
  method: "GET",
  path: "/v1/account/keys",
  parameters: {},
  result: { list: key },
};

/** POST /v1/account/keys */
export const accountMintKey: Operation<MintedKey, Wire.MintedKey> = {
  name: "account.mintKey",
  method: "POST",
  path: "/v1/account/keys",
  parameters: {
    name: { in: "body", name: "name", kind: "text" },
  },
  result: mintedKey,
};

/** DELETE /v1/account/keys/{key_id} */
export const accountRevokeKey: Operation<void, void> = {
  name: "account.revokeKey",
  method: "DELETE",
  path: "/v1/account/keys/{key_id}",
  parameters: {
    keyId: { in: "path", name: "key_id", kind: "text" },
  },
  result: null,
};

/** GET /v1/account/usage */
export const accountUsage: Operation<Usage, Wire.Usage> = {
  name: "account.usage",
  method: "GET",
  path: "/v1/account/usage",
  parameters: {},
  result: usage,
};

/** GET /v1/spot/{symbol}?format=jws */
export const spotReceipt = receiptOf(spotGet);

/** GET /v1/convert?format=jws */
export const convertReceipt = receiptOf(convertGet);

/** GET /v1/carat?format=jws */
export const caratReceipt = receiptOf(caratGet);
