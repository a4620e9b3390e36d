/** The text printed on a terminal when the service is ready. */
import type { DemoKeys } from "./demo-keys.ts";

/** What the text describes. */
export interface Welcome {
  readonly url: string;
  /** Whether the console is served at `/`. */
  readonly hasConsole: boolean;
  readonly simulated: boolean;
  readonly keys: DemoKeys | null;
}

/** The demo key opens the console with everything in it. What is behind the `#` stays in the browser: no server or log sees it. */
const consoleLines = ({ url, hasConsole, keys }: Welcome): string[] => {
  if (!hasConsole) return [];
  if (!keys) return ["", `  Console: ${url}/`];
  return ["", `  Console: ${url}/#key=${keys.realtime_pro}`, "           (with a demo key, which your browser keeps to itself)"];
};

/** The lines under `ready`: the console, what is simulated, the demo keys, and commands to try. */
export const welcome = (told: Welcome): string => {
  const { url, simulated, keys } = told;
  const lines = consoleLines(told);
  if (simulated) lines.push("", "  SIMULATED MARKET: every price here is made up. Set FEEDS=live for public feeds.");
  if (keys) {
    lines.push("", "  Demo keys, one per tier:");
    for (const [tier, key] of Object.entries(keys)) lines.push(`    ${tier.padEnd(13)} ${key}`);
  }
  const key = keys?.pro;
  lines.push("", "  Try:", `    curl ${url}/v1/spot/gold`, `    curl "${url}/v1/convert?from=XAU&to=EUR&amount=10&unit=gram"`);
  if (key !== undefined) {
    lines.push(
      `    curl -H "Authorization: Bearer ${key}" "${url}/v1/prices?include=all"`,
      `    curl -H "Authorization: Bearer ${key}" "${url}/v1/bars/latest?symbol=XAU/USD&interval=1m"`,
      `    curl -N -H "Authorization: Bearer ${key}" "${url}/v1/prices/stream?symbol=gold"`,
    );
  }
  lines.push("", `  Documents: ${url}/docs`, "");
  return lines.join("\n");
};
