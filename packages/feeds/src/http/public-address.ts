/** Whether a host is on the public internet, so that neither an upstream nor an endpoint can lead to an internal machine. */
import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";

export type Resolve = (name: string) => Promise<readonly string[]>;

/** The system's resolver, which the connection also uses. */
export const resolveName: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);

/** The allocated global part of IPv6: everything else is local, private, or an embedding of other addresses. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** Azure's host for its virtual machines, with their settings and certificates: an address from the public range. */
const AZURE_HOST = "168.63.129.16";
/** The NAT64 prefix, followed by the four bytes of IPv4. */
const NAT64_PREFIX_BYTES = 12;

/**
 * Whether an address is public: not loopback, private, shared, link-local, multicast or reserved, and no host of a cloud.
 * @param address as a resolver or a URL writes it, without brackets
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  // IPv4 embedded in IPv6 is judged as IPv4.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast" && parsed.toString() !== AZURE_HOST;
  if (parsed.range() === "rfc6052") return isPublicAddress(parsed.toByteArray().slice(NAT64_PREFIX_BYTES).join("."));
  return parsed.range() === "unicast" && parsed.match(GLOBAL_IPV6);
};

/**
 * Whether a URL's host is public, by all of its addresses.
 * @throws what the resolver throws
 */
export const isPublicHost = async ({ hostname }: URL, resolve: Resolve): Promise<boolean> => {
  const literal = hostname.replace(/^\[(.*)\]$/, "$1");
  if (ipaddr.isValid(literal)) return isPublicAddress(literal);
  const addresses = await resolve(hostname);
  return addresses.length > 0 && addresses.every(isPublicAddress);
};
