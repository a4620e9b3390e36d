/** What a process says at its start of callers without a key. */
import { BlockList, isIP } from "node:net";
import type { Settings } from "@assay/config";
import { keylessText, tierTitle } from "@assay/contract";
import type { Log } from "@assay/live";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

const isLoopback = (host: string): boolean => {
  const address = host.replace(/^\[|\]$/g, "");
  const family = isIP(address);
  return family === 0 ? address === "localhost" : LOOPBACK.check(address, family === 6 ? "ipv6" : "ipv4");
};

/** Which setting lets others than this machine reach the service; null for none. */
const opening = ({ host, publicUrl, trustProxy }: Pick<Settings, "host" | "publicUrl" | "trustProxy">): string | null => {
  if (!isLoopback(host)) return `HOST is ${host}`;
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) return `PUBLIC_URL is ${publicUrl}`;
  return trustProxy.length > 0 ? "TRUST_PROXY names a proxy" : null;
};

/** Logs what callers without a key have, and warns when that is more than the tier free and others may reach the service. */
export const announceKeyless = (
  settings: Pick<Settings, "catalog" | "host" | "publicUrl" | "trustProxy">,
  log: Pick<Log, "info" | "warn">,
): void => {
  const { catalog } = settings;
  const { tier } = catalog.keyless;
  log.info({ keylessTier: tier }, keylessText(catalog));
  const open = tier === "free" ? null : opening(settings);
  if (open === null) return;
  const title = tierTitle(tier);
  log.warn({ keylessTier: tier }, `KEYLESS_TIER gives ${title} to whoever reaches this service, and others may: ${open}`);
};
