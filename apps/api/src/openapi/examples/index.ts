/** An answer of every route, as a caller would read it; a route without one does not compile. */
import type { AssayContract, OutputOf } from "@assay/contract";
import { listKeys, mintKey, usage } from "./account.ts";
import { latest, list as listBars } from "./bars.ts";
import { carat, convert } from "./conversion.ts";
import { link as linkDownload } from "./downloads.ts";
import type { Example, ExamplesOf } from "./example.ts";
import { forwardView, settlements } from "./futures.ts";
import { physicalCountry, physicalIndex } from "./physical.ts";
import { divergence, history, list as listPrices, spot } from "./prices.ts";
import { latest as latestRatio, list as listRatios } from "./ratios.ts";
import { arbitrage, expiries, surface } from "./surface.ts";
import { health, publicHistory, status, tiers } from "./system.ts";

type Examples = {
  readonly [G in keyof AssayContract]: { readonly [K in keyof AssayContract[G]]: ExamplesOf<OutputOf<AssayContract[G][K]>> };
};

const EXAMPLES: Examples = {
  system: { health, status },
  tiers: { list: tiers },
  publicHistory: { xau: publicHistory },
  prices: { list: listPrices, divergence, history },
  spot: { get: spot },
  bars: { list: listBars, latest },
  downloads: { link: linkDownload },
  ratios: { list: listRatios, latest: latestRatio },
  settlements: { list: settlements },
  forwardView: { get: forwardView },
  convert: { get: convert },
  carat: { get: carat },
  physical: { list: physicalIndex, get: physicalCountry },
  surface: { get: surface, expiries },
  signals: { arbitrage },
  account: { listKeys, mintKey, revokeKey: {}, usage },
};

const byName: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Example<unknown>>>>>>> = EXAMPLES;

/** The examples of a route's answer by name; none for an answer without a body. */
export const answerExamples = (resource: string, action: string): Readonly<Record<string, Example<unknown>>> =>
  byName[resource]?.[action] ?? {};
