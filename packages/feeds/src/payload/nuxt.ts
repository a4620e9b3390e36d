/** The data a page made by Nuxt carries for its own scripts: packed with devalue, every value by reference. */
import { parse } from "devalue";
import type { Document } from "domhandler";
import { DomUtils } from "htmlparser2";
import { FeedError } from "../feed-error.ts";
import { oneIn } from "./html.ts";

const asIs = (value: unknown): unknown => value;
/** The marks Nuxt and its store put around values, which are of no concern here; another one is refused. */
const MARKS = Object.fromEntries(
  ["Reactive", "ShallowReactive", "Ref", "ShallowRef", "EmptyRef", "EmptyShallowRef", "NuxtError", "Island", "skipHydrate"].map(
    (mark) => [mark, asIs] as const,
  ),
);

/**
 * The page's data, unpacked. Numbers in it have been floats: take figures only where they are text.
 * @throws FeedError when the page carries none, or it cannot be unpacked
 */
export const readNuxt = (page: Document): unknown => {
  const packed = DomUtils.textContent(oneIn(page, "script#__NUXT_DATA__", "data of Nuxt"));
  try {
    return parse(packed, MARKS);
  } catch (cause) {
    throw new FeedError("payload", "the page's data cannot be unpacked", { cause });
  }
};

/**
 * Every value under a name, wherever it is in the data; values within values may refer to each other in circles.
 * @param name the property's name
 */
export const valuesNamed = (data: unknown, name: string): unknown[] => {
  const seen = new Set<unknown>([data]);
  const found: unknown[] = [];
  // A set is walked in the order of insertion, what is added on the way included.
  for (const value of seen) {
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, name)) found.push(Reflect.get(value, name));
    for (const within of value instanceof Set || value instanceof Map ? value.values() : Object.values(value)) seen.add(within);
  }
  return found;
};
