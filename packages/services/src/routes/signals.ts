/** Edges between venues. */
import { type AssayContract, formatTimestamp, type Verb } from "@assay/contract";
import type { SignalLeg } from "@assay/pricing";
import type { VerbContext } from "../context.ts";
import type { SurfaceView } from "../market/surface-book.ts";

const legOf = ({ venue, marketId, side, price, sizeUsd }: SignalLeg) => ({
  venue,
  market_id: marketId,
  side,
  price,
  size_usd: sizeUsd,
});

/** `GET /v1/signals/arbitrage`: every edge of a metal; usually there are none. */
export const arbitrageSignals =
  (view: SurfaceView): Verb<AssayContract["signals"]["arbitrage"], VerbContext> =>
  ({ metal }, { nowMs }) => ({
    metal,
    signals: view.signals(metal, nowMs).map((signal) => ({
      id: signal.id,
      horizon_target: signal.horizonTarget,
      type: signal.type,
      strike: signal.strike,
      buy: legOf(signal.buy),
      sell: legOf(signal.sell),
      gross_edge_bps: signal.grossEdgeBps,
      fees_bps: signal.feesBps,
      net_edge_bps: signal.netEdgeBps,
      executable_size_usd: signal.executableSizeUsd,
      detected_at: formatTimestamp(signal.detectedAtMs),
    })),
  });
