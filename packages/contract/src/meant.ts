/** What callers write for a code of ours: 10g, gold, 22K. */
import { catalogue } from "@assay/catalogue";

/** Reads what is given for a field; what it does not know is returned as it is. */
type ReadMeant = (given: unknown) => unknown;

/** By the names of fields. */
export type Meant = Readonly<Record<string, ReadMeant>>;

const UNITS: Readonly<Record<string, string>> = { g: "gram", gr: "gram", gm: "gram", "10g": "ten_gram", "10gm": "ten_gram" };

const folded = (given: unknown): string => (typeof given === "string" ? given.toLowerCase().replaceAll(" ", "") : "");

const unit: ReadMeant = (given) => {
  const word = folded(given);
  return Object.hasOwn(UNITS, word) ? UNITS[word] : given;
};

const metal: ReadMeant = (given) => {
  const word = folded(given);
  return catalogue.spotMetals.find(({ name }) => word === name)?.code ?? given;
};

const karat: ReadMeant = (given) => {
  const [, parts] = /^([0-9]{1,2})(?:k|kt|ct|karat|carat)?$/.exec(folded(given)) ?? [];
  return parts === undefined ? given : Number(parts);
};

/** On every route. */
export const MEANT: Meant = { unit };
/** In a list that a shop keeps. */
export const SHOP_MEANT: Meant = { unit, metal, karat };
