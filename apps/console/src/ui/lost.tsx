/** The message that the service does not answer, since when, and that it is looked for. */

import { nowMs } from "../data/clock.ts";
import { lostSince } from "../data/reach.ts";
import { clockTime, lengthText } from "../figures/moments.ts";

/** Shown only while nothing answers; what was read before stays where it is. */
export const Lost = () => {
  const since = lostSince.value;
  return (
    <div class="lost-place" role="alert">
      {since === null ? null : (
        <p class="lost">
          <strong>No answer from the service since {clockTime(since)}.</strong> Figures below are from before
          {nowMs.value - since < 5_000 ? "" : `, ${lengthText(nowMs.value - since)} ago`}. Trying again.
        </p>
      )}
    </div>
  );
};
