/** Whether a host lies in the open internet, so that nobody upstream leads a feed to a machine nearby. */
import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";

/** Finds every address of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The system's own resolver, which the connection asks as well. */
export const resolveName: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);

/** All of IPv6 that is given out: what lies outside is a machine's own, a network's own, or a wrapping of something else. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** The part of an address behind which NAT64 puts the four bytes of IPv4. */
const NAT64_PREFIX_BYTES = 12;

/**
 * Whether an address is one of the open internet: not of this machine, a private or a shared network, a link, a group, or reserved.
 * @param address as a resolver or a URL writes it, without brackets
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  // IPv4 within IPv6 is judged as what it is.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast";
  if (parsed.range() === "rfc6052") return isPublicAddress(parsed.toByteArray().slice(NAT64_PREFIX_BYTES).join("."));
  return parsed.range() === "unicast" && parsed.match(GLOBAL_IPV6);
};

/**
 * Whether a URL's host is in the open internet, by all of its addresses.
 * @throws whatever the resolver throws
 */
export const isPublicHost = async ({ hostname }: URL, resolve: Resolve): Promise<boolean> => {
  const literal = hostname.replace(/^\[(.*)\]$/, "$1");
  if (ipaddr.isValid(literal)) return isPublicAddress(literal);
  const addresses = await resolve(hostname);
  return addresses.length > 0 && addresses.every(isPublicAddress);
};
