/** The data that a Nuxt page embeds for its scripts: packed with devalue, every value by reference. */
import { parse } from "devalue";
import type { Document } from "domhandler";
import { DomUtils } from "htmlparser2";
import { FeedError } from "../feed/error.ts";
import { oneIn } from "./html.ts";

const asIs = (value: unknown): unknown => value;
/** Wrappers that Nuxt and its store put around values, which are irrelevant here; any other is refused. */
const MARKS = Object.fromEntries(
  ["Reactive", "ShallowReactive", "Ref", "ShallowRef", "EmptyRef", "EmptyShallowRef", "NuxtError", "Island", "skipHydrate"].map(
    (mark) => [mark, asIs] as const,
  ),
);

/**
 * The page's data, unpacked. Numbers in it have been floats: use figures only where they are text.
 * @throws FeedError when there is none, or it cannot be unpacked
 */
export const readNuxt = (page: Document): unknown => {
  const packed = DomUtils.textContent(oneIn(page, "script#__NUXT_DATA__", "data of Nuxt"));
  try {
    return parse(packed, MARKS);
  } catch (cause) {
    throw new FeedError("payload", "failed to unpack the page's data", { cause });
  }
};

/**
 * Every value of a property, anywhere in the data, which may contain reference cycles.
 * @param name the property's name
 */
export const valuesNamed = (data: unknown, name: string): unknown[] => {
  const seen = new Set<unknown>([data]);
  const found: unknown[] = [];
  // A Set iterates in insertion order and includes items added during the iteration.
  for (const value of seen) {
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, name)) found.push(Reflect.get(value, name));
    for (const within of value instanceof Set || value instanceof Map ? value.values() : Object.values(value)) seen.add(within);
  }
  return found;
};
