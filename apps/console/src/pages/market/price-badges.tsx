/** What the price is, beside it: simulated, live, late, stale and why. */
import type { LiveState } from "../../data/live.ts";
import { told } from "../../data/refusals.ts";
import { clockTime } from "../../figures/moments.ts";
import { Badge } from "../../ui/badge.tsx";
import { currency, priced } from "./choices.ts";
import type { MarketView } from "./market-view.ts";

const STALE: Readonly<Record<string, string>> = {
  market_closed: "the market is closed",
  feed_down: "its sources do not answer",
  fx_fallback: "the exchange rate is the daily one",
};

const Timeliness = ({ view, live }: { readonly view: MarketView; readonly live: LiveState }) => {
  if (view.isDelayed) return <Badge tone="warn">{view.document?.delay_minutes ?? 15} minutes late</Badge>;
  if (live.name === "lost")
    return (
      <Badge tone="bad" title={live.reason}>
        Stream lost since {clockTime(live.sinceMs)}
      </Badge>
    );
  if (live.name === "refused") {
    const { title, text } = told(live.error, Date.now());
    return (
      <Badge tone="plain" title={`${title}. ${text}`}>
        Read every 10 s · no stream: {title.toLowerCase()}
      </Badge>
    );
  }
  if (live.name === "open" && priced.value === "USD") return <Badge tone="good">Live</Badge>;
  return <Badge tone="plain">Read every 10 s</Badge>;
};

/** The badges. */
export const PriceBadges = ({ view, live }: { readonly view: MarketView; readonly live: LiveState }) => (
  <p class="badges" aria-live="polite">
    {view.mode === "simulated" ? (
      <Badge tone="accent" title="This service makes its market up. No figure it answers is a market price.">
        Simulated
      </Badge>
    ) : null}
    {view.mode === "replay" ? <Badge tone="accent">Replay</Badge> : null}
    {view.row === undefined ? null : <Timeliness view={view} live={live} />}
    {view.row?.is_stale ? <Badge tone="warn">Stale: {STALE[view.row.stale_reason ?? ""] ?? "its sources are late"}</Badge> : null}
    {view.state === "closed" ? <Badge tone="plain">Market closed</Badge> : null}
    {currency.value === "BGN" && priced.value === "BGN" ? <Badge tone="plain">Fixed to the euro</Badge> : null}
  </p>
);
