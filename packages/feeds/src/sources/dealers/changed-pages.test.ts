/** What every page reader guarantees: from a changed page it returns the page's own figures or none. */
import type { DealerObservation } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { FeedError } from "../../feed/error.ts";
import { fixture, HTML_PAGE, NOW_MS } from "../../testing/samples.ts";
import { parseChowTaiFook } from "./chow-tai-fook.ts";
import { parseDubaiCityOfGold } from "./dubai-city-of-gold.ts";
import { parseEdahab } from "./edahab.ts";
import { parseEmperor } from "./emperor.ts";
import { parseGaleri24 } from "./galeri24.ts";
import { parseIbja } from "./ibja.ts";
import { parseIsagha } from "./isagha.ts";
import { parseSaudiGoldPrice } from "./saudi-gold-price.ts";
import { parseTanaka } from "./tanaka.ts";

type Parse = (page: string, receivedAtMs: number) => readonly DealerObservation[];
const READERS: readonly (readonly [string, Parse])[] = [
  ["chow-tai-fook", parseChowTaiFook],
  ["dubai-city-of-gold", parseDubaiCityOfGold],
  ["edahab", parseEdahab],
  ["emperor", parseEmperor],
  ["galeri24", parseGaleri24],
  ["ibja", parseIbja],
  ["isagha", parseIsagha],
  ["isagha-unnamed", parseIsagha],
  ["saudi-gold-price", parseSaudiGoldPrice],
  ["tanaka", parseTanaka],
];

/** Mutations of one piece of a page, a tag or the text between two. */
const CHANGES: Readonly<Record<string, (pieces: string[], at: number) => string[]>> = {
  gone: (pieces, at) => pieces.toSpliced(at, 1),
  doubled: (pieces, at) => pieces.toSpliced(at, 0, `${pieces[at]} `),
  "three gone": (pieces, at) => pieces.toSpliced(at, 3),
  "the last": (pieces, at) => pieces.slice(0, at + 1),
  "another tag": (pieces, at) => pieces.with(at, "<div>"),
  "a dash": (pieces, at) => pieces.with(at, "-"),
  "grouped by points": (pieces, at) => pieces.with(at, (pieces[at] ?? "").replaceAll(",", ".")),
  "without marks": (pieces, at) => pieces.with(at, (pieces[at] ?? "").replaceAll(/(?<=[0-9])[,.](?=[0-9])/g, " ")),
};

/** The figures of a page without an afternoon rate are also its own. */
const morningOf = (page: string): string => page.replace(/(_PM">)[0-9]+/g, "$1");

const sides = (observations: readonly DealerObservation[]) =>
  new Map(observations.map(({ quote: { id, sell, buyback } }) => [id, [sell, buyback]] as const));

describe.each(READERS)("the reader of %s", (name, parse) => {
  const page = fixture(`${name}.html.txt`);
  const published = [page, morningOf(page)].map((each) => sides(parse(each, NOW_MS)));
  const pieces = page.split(/(<[^>]*>)/);

  it.each(Object.entries(CHANGES))("gives its own figures or none where a piece is %s", (_change, changed) => {
    for (const place of pieces.keys()) {
      let found: readonly DealerObservation[] = [];
      try {
        found = parse(changed(pieces, place).join(""), NOW_MS);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(FeedError);
      }
      for (const [id, prices] of sides(found)) expect(published.map((own) => own.get(id))).toContainEqual(prices);
    }
  });

  it.each([HTML_PAGE, "", "<", "{}", "\u0000", "<html>", page.toUpperCase().slice(0, 40)])("finds nothing in %j", (body) => {
    expect(() => parse(body, NOW_MS)).toThrow(FeedError);
  });
});
