/** The pieces on the counter: what was typed of each, kept in this browser until they are cleared. */
import { effect, type Signal, signal, untracked } from "@preact/signals";
import { GOLD, METALS, UNITS } from "../../data/catalogue.ts";
import { recall, remember } from "../../data/memory.ts";

/** What is typed or chosen of a piece, each as text. */
export const FIELDS = [
  "name",
  "side",
  "metal",
  "purity",
  "fineness",
  "weight",
  "unit",
  "margin",
  "makingBy",
  "making",
  "tax",
  "taxOn",
  "roundTo",
] as const;
export type Field = (typeof FIELDS)[number];

type Texts = Readonly<Record<Field, string>>;

/** A piece; each field changes alone. */
export type Piece = { readonly id: string } & { readonly [Name in Field]: Signal<string> };

/** How a shop's work is charged. */
export const MAKINGS = ["none", "per_gram", "percent", "fixed"] as const;

export const TAXED = ["all", "making", "none"] as const;

/** The purity that is typed in parts of 1000. */
export const TYPED_PURITY = "fineness";

const EMPTY: Texts = {
  name: "",
  side: "sell",
  metal: GOLD,
  purity: "pure",
  fineness: "",
  weight: "",
  unit: "gram",
  margin: "",
  makingBy: "none",
  making: "",
  tax: "",
  taxOn: "all",
  roundTo: "",
};

/** A shop's terms, which are others for what it sells than for what it buys. */
const TERMS = ["margin", "makingBy", "making", "tax", "taxOn", "roundTo"] as const satisfies readonly Field[];
/** What a new piece takes over from the one before. */
const TAKEN: readonly Field[] = ["side", "metal", "purity", "fineness", "unit", ...TERMS];

const ALLOWED: Partial<Record<Field, readonly string[]>> = {
  side: ["sell", "buy"],
  metal: METALS.map(({ code }) => code),
  unit: UNITS.map(({ code }) => code),
  makingBy: MAKINGS,
  taxOn: TAXED,
};

const textsOf = (piece: Piece): Texts =>
  Object.fromEntries(FIELDS.map((field) => [field, piece[field].value])) as Record<Field, string>; // of every field

/** The terms that were last in use on a side. */
const termsOf = new Map<string, Pick<Texts, (typeof TERMS)[number]>>();

/** A piece that changes sides has the terms of its new one; those it had are kept for the next change. */
const followSide = (piece: Piece): void => {
  let before = piece.side.peek();
  effect(() => {
    const side = piece.side.value;
    if (side === before) return;
    const { margin, makingBy, making, tax, taxOn, roundTo } = untracked(() => textsOf(piece));
    termsOf.set(before, { margin, makingBy, making, tax, taxOn, roundTo });
    before = side;
    const terms = termsOf.get(side) ?? EMPTY;
    for (const field of TERMS) piece[field].value = terms[field];
  });
};

let count = 0;

const pieceOf = (texts: Texts): Piece => {
  count += 1;
  const fields = FIELDS.map((field): [Field, Signal<string>] => [field, signal(texts[field])]);
  const piece = { id: `piece-${count}`, ...(Object.fromEntries(fields) as Record<Field, Signal<string>>) }; // of every field
  followSide(piece);
  return piece;
};

const KEPT = "counter";
/** No text of a field is longer. */
const LONGEST = 64;

/** What was kept, as far as it can still be used: another version, or another catalogue, may have written it. */
const restore = (): readonly Piece[] => {
  try {
    const kept: unknown = JSON.parse(recall(KEPT) ?? "[]");
    if (!Array.isArray(kept)) return [];
    return kept.map((row: unknown) => {
      const given = typeof row === "object" && row !== null ? (row as Readonly<Record<string, unknown>>) : {}; // each value is looked at
      const texts = FIELDS.map((field): [Field, string] => {
        const text = given[field];
        const isUsable = typeof text === "string" && text.length <= LONGEST && (ALLOWED[field]?.includes(text) ?? true);
        return [field, isUsable ? text : EMPTY[field]];
      });
      return pieceOf(Object.fromEntries(texts) as Record<Field, string>); // of every field
    });
  } catch {
    return [];
  }
};

const kept = restore();

/** The pieces, in the order they were laid down; there is always one. */
export const pieces = signal<readonly Piece[]>(kept.length === 0 ? [pieceOf(EMPTY)] : kept);

effect(() => remember(KEPT, JSON.stringify(pieces.value.map(textsOf))));

/** As many as one request prices. */
export const MOST = 500;

/** Lays down another piece, on the terms of the last one. */
export const addPiece = (): void => {
  const last = pieces.value.at(-1);
  const taken = last === undefined ? {} : Object.fromEntries(TAKEN.map((field) => [field, last[field].value]));
  pieces.value = [...pieces.value, pieceOf({ ...EMPTY, ...taken })];
};

export const removePiece = (piece: Piece): void => {
  pieces.value = pieces.value.filter((one) => one !== piece);
  if (pieces.value.length === 0) pieces.value = [pieceOf({ ...textsOf(piece), name: "", weight: "" })];
};

/** Clears the counter for the next customer; the shop's terms stay. */
export const clearPieces = (): void => {
  const first = pieces.value[0];
  pieces.value = [pieceOf({ ...EMPTY, ...(first === undefined ? {} : textsOf(first)), name: "", weight: "" })];
};
