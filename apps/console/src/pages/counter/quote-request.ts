/** What the service is asked about a piece, from what was typed of it; or what is wrong with that, by field. */
import { METALS } from "../../data/catalogue.ts";
import { shown } from "../../figures/digits.ts";
import { readField } from "../../figures/typed.ts";
import { text } from "../../text/text.ts";
import { type Field, type Piece, TYPED_PURITY } from "./pieces.ts";

/** A piece of `POST /v1/quotes`; every amount is decimal text. */
export interface RequestedPiece {
  readonly id: string;
  readonly metal: string;
  readonly weight: string;
  readonly unit: string;
  readonly side: string;
  readonly karat?: number;
  readonly fineness?: string;
  readonly margin_percent?: string;
  readonly making?: Readonly<Record<string, string>>;
  readonly tax_percent?: string;
  readonly tax_on?: string;
  readonly round_to?: string;
}

/** The question: what can be priced of what was typed. */
export interface QuoteRequest {
  readonly currency: string;
  readonly items: readonly RequestedPiece[];
}

/** A piece that can be asked about, or the fields that cannot. */
type Read = { readonly asked: RequestedPiece } | { readonly missing: ReadonlySet<Field> };

const KARAT = /^k(\d+)$/;
const FINENESS = /^f(\d+)$/;

export const finenessText = (fineness: string): string => text().names.partsOf1000({ parts: shown(fineness) });

/** The purities to choose from: karats where the metal has them, the parts of 1000 it is traded in, and any other. */
export const puritiesOf = (code: string): readonly { readonly value: string; readonly text: string }[] => {
  const metal = METALS.find((one) => one.code === code);
  const karats = metal?.karats ? [24, 23, 22, 21, 20, 18, 16, 14, 12, 10, 9, 8] : [];
  return [
    { value: "pure", text: text().counter.pure },
    ...karats.map((karat) => ({ value: `k${karat}`, text: text().names.karat({ karat }) })),
    ...(metal?.finenesses ?? []).map((fineness) => ({ value: `f${fineness}`, text: finenessText(String(fineness)) })),
    { value: TYPED_PURITY, text: text().counter.typedPurity },
  ];
};

const MOST_FINE = /^(1000(\.0{1,3})?|[1-9]\d{0,2}(\.\d{1,3})?)$/;

/** Why a fineness cannot be asked for; undefined when it can. */
export const finenessFault = (amount: string): string | undefined =>
  MOST_FINE.test(amount) && Number(amount) > 100
    ? undefined
    : text().counter.finenessFault({ good: shown("916"), bad: shown("91.6") });

const purityOf = (piece: Piece): Pick<RequestedPiece, "karat" | "fineness"> | null => {
  const purity = puritiesOf(piece.metal.value).some(({ value }) => value === piece.purity.value) ? piece.purity.value : "pure";
  const [, karat] = KARAT.exec(purity) ?? [];
  if (karat !== undefined) return { karat: Number(karat) };
  const [, fineness] = FINENESS.exec(purity) ?? [];
  if (fineness !== undefined) return { fineness };
  if (purity !== TYPED_PURITY) return {};
  const read = readField(piece.fineness.value);
  return "amount" in read && read.amount !== null && finenessFault(read.amount) === undefined ? { fineness: read.amount } : null;
};

const isZero = (amount: string): boolean => /^[0.]+$/.test(amount);

export const readPiece = (piece: Piece): Read => {
  const missing = new Set<Field>();
  const amountOf = (field: Field, isOptional: boolean): string | null => {
    const read = readField(piece[field].value, isOptional);
    if ("said" in read) missing.add(field);
    return "amount" in read ? read.amount : null;
  };
  const purity = purityOf(piece);
  if (purity === null) missing.add("fineness");
  const weight = amountOf("weight", false);
  const margin = amountOf("margin", true);
  const makingBy = piece.makingBy.value;
  const making = makingBy === "none" ? null : amountOf("making", true);
  const tax = piece.taxOn.value === "none" ? null : amountOf("tax", true);
  const roundTo = amountOf("roundTo", true);
  if (weight !== null && isZero(weight)) missing.add("weight");
  if (roundTo !== null && isZero(roundTo)) missing.add("roundTo");
  if (missing.size > 0 || weight === null || purity === null) return { missing };
  return {
    asked: {
      id: piece.id,
      metal: piece.metal.value,
      weight,
      unit: piece.unit.value,
      side: piece.side.value,
      ...purity,
      ...(margin === null ? {} : { margin_percent: margin }),
      ...(making === null ? {} : { making: { [makingBy]: making } }),
      ...(tax === null ? {} : { tax_percent: tax, tax_on: piece.taxOn.value }),
      ...(roundTo === null ? {} : { round_to: roundTo }),
    },
  };
};
