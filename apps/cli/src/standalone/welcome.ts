/** The text printed on a terminal when the service is ready. */
import { keylessText, type TierCatalog } from "@assay/contract";
import type { DemoKeys } from "./demo-keys.ts";

/** What the text describes. */
export interface Welcome {
  readonly url: string;
  /** Whether the console is served at `/`. */
  readonly hasConsole: boolean;
  readonly simulated: boolean;
  readonly keys: DemoKeys | null;
  readonly catalog: TierCatalog;
}

/** The demo key opens the console with everything in it, where callers without one have less. What is behind the `#` stays in the browser: no server or log sees it. */
const consoleLines = ({ url, hasConsole, keys, catalog }: Welcome): string[] => {
  if (!hasConsole) return [];
  if (!keys || catalog.keyless.tier === "realtime_pro") return ["", `  Console: ${url}/`];
  return ["", `  Console: ${url}/#key=${keys.realtime_pro}`, "           (with a demo key, which your browser keeps to itself)"];
};

/** The lines under `ready`: the console, what is simulated, the demo keys, and commands to try. */
export const welcome = (service: Welcome): string => {
  const { url, simulated, keys, catalog } = service;
  const lines = consoleLines(service);
  if (catalog.keyless.tier !== "free") lines.push("", `  ${keylessText(catalog)}`);
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
