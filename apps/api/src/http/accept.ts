/** The format that an Accept header weighs most, of those a route has. */
import { type Format, formatEntry, formatsOf, type Route } from "@assay/contract";

/** What a header says of one media type. */
interface Preference {
  /** From 0, not wanted, to 1. */
  readonly weight: number;
  /** 2 when it is named itself, 1 for its type alone, 0 for anything. */
  readonly nearness: number;
}

/** A media range of the header: `text/csv`, `text/*` or `*` for both parts, and its weight. */
interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly weight: number;
}

const WEIGHT = /^q=(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/i;

/** The longest header that is read. A browser's has some 150 characters. */
const MAX_CHARACTERS = 1_024;

const rangeOf = (item: string): Range | null => {
  const [media = "", ...parameters] = item.split(";").map((part) => part.trim());
  const [type = "", subtype = "", ...rest] = media.toLowerCase().split("/");
  if (type === "" || subtype === "" || rest.length > 0) return null;
  const weight = parameters.find((parameter) => WEIGHT.test(parameter));
  return { type, subtype, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
};

/** The most specific range that covers a media type decides. */
const preferenceFor = (media: string, ranges: readonly Range[]): Preference => {
  const [type, subtype] = media.split("/");
  let preference: Preference = { weight: 0, nearness: -1 };
  for (const range of ranges) {
    const covers = (range.type === type || range.type === "*") && (range.subtype === subtype || range.subtype === "*");
    const nearness = range.subtype !== "*" ? 2 : range.type !== "*" ? 1 : 0;
    if (covers && nearness > preference.nearness) preference = { weight: range.weight, nearness };
  }
  return preference;
};

const isStronger = (one: Preference, other: Preference): boolean =>
  one.weight > other.weight || (one.weight === other.weight && one.nearness > other.nearness);

/** Reads what an Accept header wants of a route; undefined is JSON. */
type ReadAccept = (header: string | undefined) => Format | undefined;

/**
 * Prepares the reader of a route's Accept headers.
 * @returns null when the route has nothing a header could name, so that its answers do not depend on it
 */
export const acceptReader = (route: Route): ReadAccept | null => {
  const named = formatsOf(route).flatMap((format) => {
    const { accept } = formatEntry(format);
    return accept === undefined ? [] : [{ format, accept }];
  });
  if (named.length === 0) return null;
  return (header) => {
    if (header === undefined || header === "*/*" || header === "application/json" || header.length > MAX_CHARACTERS)
      return undefined;
    const ranges = header.split(",").flatMap((item) => rangeOf(item) ?? []);
    let best: Format | undefined;
    let preference = preferenceFor("application/json", ranges);
    for (const { format, accept } of named) {
      const other = preferenceFor(accept, ranges);
      if (other.weight === 0 || !isStronger(other, preference)) continue;
      best = format;
      preference = other;
    }
    return best;
  };
};
