/** Schemas for the kinds of value settings hold: numbers, choices, lists, URLs, addresses, dates. */
import { isIP } from "node:net";
import proxyaddr from "proxy-addr";
import { z } from "zod";
import type { Variable } from "./variables.ts";

export const wholeNumber = (least: number, most: number, unit: string, note = ""): Variable<number> => ({
  schema: z
    .string()
    .regex(/^-?[0-9]{1,16}$/)
    .transform(Number)
    .pipe(z.int().min(least).max(most)),
  mayHold: `${unit} from ${least} to ${most}${note}`,
});

export const oneOf = <const W extends string>(words: readonly [W, ...W[]]): Variable<W> => ({
  schema: z.string().pipe(z.enum(words)),
  mayHold: words.join(", "),
});

/** Any of a set of words, separated by commas. */
export const someOf = <const W extends string>(words: readonly [W, ...W[]]): Variable<ReadonlySet<W>> => ({
  schema: z
    .string()
    .transform((text) => text.split(",").map((word) => word.trim()))
    .pipe(z.array(z.enum(words)))
    .transform((list) => new Set(list)),
  mayHold: `a comma list of ${words.join(", ")}`,
});

/** Whether the user and password of a URL are valid percent-encoding; drivers decode them. */
const isDecodable = (text: string): boolean => {
  if (!URL.canParse(text)) return true; // the URL check reports it
  const { username, password } = new URL(text);
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
};

export const urlOf = (
  schemes: readonly string[],
  example: string,
  rule: (url: URL) => boolean = () => true,
): Variable<string> => ({
  schema: z
    .string()
    .refine((text) => {
      if (!URL.canParse(text)) return false;
      const url = new URL(text);
      return schemes.includes(url.protocol) && rule(url);
    })
    .refine(isDecodable, "a percent sign in a user or password is written %25"),
  mayHold: `${schemes.map((scheme) => `${scheme}//…`).join(" or ")}, for example ${example}`,
});

/** A base URL that paths are appended to: http or https, without user, query or fragment; trailing slashes are dropped. */
export const baseUrl = (example: string): Variable<string> => {
  const isBare = (url: URL) => url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  const { schema, mayHold } = urlOf(["http:", "https:"], example, isBare);
  return {
    schema: schema.transform((text) => new URL(text).href.replace(/\/+$/, "")),
    mayHold: `${mayHold}, without user, query and fragment`,
  };
};

/** Whether a text is an origin as browsers write it: no path, no user, no wildcard. */
const isOrigin = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, hostname } = new URL(text);
  return ["http:", "https:"].includes(protocol) && origin === text && /^[a-z0-9.-]+$/.test(hostname);
};

/** Origins of pages, separated by commas. */
export const origins: Variable<readonly string[]> = {
  schema: z
    .string()
    .transform((text) => text.split(",").map((entry) => entry.trim()))
    .refine((entries) => entries.every(isOrigin)),
  mayHold: "a comma list of origins without a path, for example https://shop.example.com, http://localhost:3000",
};

export const hostName: Variable<string> = {
  schema: z
    .string()
    .max(253)
    .refine((text) => isIP(text) !== 0 || (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/^[0-9.]+$/.test(text))),
  mayHold: "a host name or an IP address, for example 127.0.0.1, 0.0.0.0 or ::",
};

/** Scheme, host and port of a text; null when it holds anything else, or no scheme. */
const originIn = (text: string): string | null => {
  if (!/^https?:\/\/[^/?#@\s]+$/i.test(text) || !URL.canParse(text)) return null;
  return new URL(text).origin;
};

/** Receivers of the operator's own, separated by commas: each with its scheme and port, so that no other port of its host is meant. */
export const receivers: Variable<ReadonlySet<string>> = {
  schema: z
    .string()
    .transform((text) => text.split(",").map((entry) => originIn(entry.trim())))
    .pipe(z.array(z.string()))
    .transform((origins) => new Set(origins)),
  mayHold: "a comma list of scheme, host and port, for example http://localhost:9000, https://hooks.internal",
};

/** Whether the library that compares addresses with it can read a text, which is not a name or a netmask. */
const isAddressOrRange = (text: string): boolean => {
  const [address = "", prefix = "0"] = text.split("/");
  if (isIP(address) === 0 || !/^[0-9]{1,3}$/.test(prefix)) return false;
  try {
    proxyaddr.compile([text]);
    return true;
  } catch {
    return false;
  }
};

/** The widest private networks: 10.0.0.0/8, and the same as IPv6 writes it, and fc00::/7. */
const WIDEST = { ipv4: 8, mapped: 104, ipv6: 7 } as const;
/** IPv4 in IPv6, as URLs write it. */
const MAPPED = /^\[::ffff:[0-9a-f]{1,4}:[0-9a-f]{1,4}\]$/;

/** Whether a range holds more than a network of proxies: all addresses, or with a few others like it. */
const isWide = (text: string): boolean => {
  const [address = "", prefix] = text.split("/");
  if (prefix === undefined || isIP(address) === 0) return false;
  const kind = isIP(address) === 4 ? "ipv4" : MAPPED.test(new URL(`http://[${address}]`).hostname) ? "mapped" : "ipv6";
  return Number(prefix) < WIDEST[kind];
};

/** Addresses and ranges, separated by commas; none wider than a private network. */
export const addressRanges: Variable<readonly string[]> = {
  schema: z
    .string()
    .transform((text) => text.split(",").map((entry) => entry.trim()))
    .refine(
      (entries) => !entries.some(isWide),
      "with a range wider than any private network every client could choose the address that it is limited by",
    )
    .refine((entries) => entries.every(isAddressOrRange)),
  mayHold: "a comma list of IP addresses and CIDR ranges, for example 127.0.0.1, 10.0.0.0/8, fd00::/8",
};

export const calendarDate: Variable<string> = {
  schema: z.string().pipe(z.iso.date()),
  mayHold: "an ISO date, for example 2027-06-30",
};

/** A name that is displayed and compared. */
export const plainName: Variable<string> = {
  schema: z.string().regex(/^[\x21-\x7e]{1,128}$/),
  mayHold: "a name of 1 to 128 visible ASCII characters without spaces",
};
