/** Gold's minutes of the last 15 minutes, as an API returns them. */
import { MINUTE_MS } from "@assay/contract";
import { faultsOf, startsOf, walkBars } from "./bars.ts";
import { eventually } from "./eventually.ts";

const MINUTES = 15;

/** What is wrong with them: missing or duplicate ones, or forming ones before the newest; empty when nothing is. */
export const minuteFaults = async (url: string, key: string): Promise<string[]> => {
  const nowMs = Date.now();
  const window = { symbol: "XAU-USD-SPOT", interval: "1m", fromMs: nowMs - MINUTES * MINUTE_MS, toMs: nowMs } as const;
  const bars = await walkBars(url, window, key);
  const forming = bars.filter(({ is_closed }) => !is_closed).length;
  return [
    ...faultsOf(startsOf(bars), "1m"),
    ...(bars.length < MINUTES - 1 ? [`${bars.length} bars of ${MINUTES} minutes`] : []),
    ...(forming > 1 ? [`${forming} bars are forming`] : []),
  ];
};

/** Waits until all of them are there: an API reloads what it missed in the background. */
export const untilMinutes = (urls: readonly string[], key: string): Promise<string[]> =>
  eventually(
    "every minute is there",
    async () => (await Promise.all(urls.map((url) => minuteFaults(url, key)))).flat(),
    (faults) => faults.length === 0,
  );
