/** Instants: when, and how long ago, which counts on while it is shown. */
import { nowMs } from "../data/clock.ts";
import { clockTime, countdownText, dayAndTime, lengthText } from "../figures/moments.ts";

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
    <time dateTime={at} title={dayAndTime(instantMs)}>
      {isRecent ? clockTime(instantMs) : dayAndTime(instantMs)}
    </time>
  );
};

/** How long ago an instant was. */
export const Age = ({ at }: MomentProps) => (
  <time dateTime={at} title={dayAndTime(Date.parse(at))}>
    {lengthText(nowMs.value - Date.parse(at))} ago
  </time>
);

/** How long it is until an instant, in epoch milliseconds. */
export const Countdown = ({ untilMs }: { readonly untilMs: number }) => (
  <span class="figure">{countdownText(untilMs - nowMs.value)}</span>
);
