/** Instants: when, and how long ago, which counts on while it is shown. */
import { signal } from "@preact/signals";
import { instantText, timeText } from "../data/clock.ts";
import { agoText, countdownText } from "../figures/moments.ts";

/** The reader's clock in epoch milliseconds, at most a second old: it moves once a second while the page can be seen. */
export const nowMs = signal(Date.now());

const tick = (): void => {
  nowMs.value = Date.now();
};

setInterval(() => {
  if (!document.hidden) tick();
}, 1_000);
document.addEventListener("visibilitychange", tick);

const HOUR_MS = 3_600_000;

interface MomentProps {
  /** ISO-8601. */
  readonly at: string;
}

/** The clock time of an instant; older ones with their day. */
export const Moment = ({ at }: MomentProps) => {
  const instantMs = Date.parse(at);
  const isRecent = Math.abs(nowMs.value - instantMs) < 12 * HOUR_MS;
  return (
    <time dateTime={at} title={instantText(instantMs)}>
      {isRecent ? timeText(instantMs) : instantText(instantMs)}
    </time>
  );
};

export const Age = ({ at }: MomentProps) => (
  <time dateTime={at} title={instantText(Date.parse(at))}>
    {agoText(nowMs.value - Date.parse(at))}
  </time>
);

/** How long it is until an instant, in epoch milliseconds. */
export const Countdown = ({ untilMs }: { readonly untilMs: number }) => (
  <span class="figure">{countdownText(untilMs - nowMs.value)}</span>
);
