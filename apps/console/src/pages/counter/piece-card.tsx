/** One piece: what it is, on what terms, and what it costs. */
import type { Wire } from "@assay/sdk/trpc";
import type { Signal } from "@preact/signals";
import { METALS, metalOptions, UNITS, unitOptions } from "../../data/catalogue.ts";
import { percentText, shown } from "../../figures/digits.ts";
import { readField } from "../../figures/typed.ts";
import { lineOf, listText, text } from "../../text/text.ts";
import { AmountField } from "../../ui/amount.tsx";
import { Segments, Select } from "../../ui/choose.tsx";
import { Figure } from "../../ui/figure.tsx";
import { MAKINGS, type Piece, removePiece, TAXED, TYPED_PURITY } from "./pieces.ts";
import { finenessFault, puritiesOf } from "./quote-request.ts";

/** Weights to choose from: one of each. */
const WEIGHTS = UNITS.filter(({ grams }, place) => UNITS.findIndex((other) => other.grams === grams) === place);

const sides = () => [
  { value: "sell", text: text().counter.weSell },
  { value: "buy", text: text().counter.weBuy },
];
const makings = () => MAKINGS.map((value) => ({ value, text: text().counter.makings[value] }));
const taxed = () => TAXED.map((value) => ({ value, text: text().counter.taxed[value] }));

interface ChoiceProps {
  readonly name: string;
  readonly chosen: Signal<string>;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly value?: string;
}

const Choice = ({ name, chosen, options, value }: ChoiceProps) => (
  <div class="field">
    <span class="soft" aria-hidden="true">
      {name}
    </span>
    <Select label={name} chosen={chosen} options={options} {...(value === undefined ? {} : { value })} />
  </div>
);

const zeroFault = ({ value }: Signal<string>): string | undefined => {
  const read = readField(value, true);
  return "amount" in read && read.amount !== null && /^[0.]+$/.test(read.amount) ? text().figures.moreThanZero : undefined;
};

const typedFineness = ({ fineness }: Piece): string | undefined => {
  const read = readField(fineness.value);
  return "amount" in read && read.amount !== null ? finenessFault(read.amount) : undefined;
};

const What = ({ piece }: { readonly piece: Piece }) => {
  const purities = puritiesOf(piece.metal.value);
  const purity = purities.some(({ value }) => value === piece.purity.value) ? piece.purity.value : "pure";
  return (
    <div class="what">
      <Choice name={text().ui.metal} chosen={piece.metal} options={metalOptions(METALS)} />
      <Choice name={text().counter.purity} chosen={piece.purity} options={purities} value={purity} />
      {purity === TYPED_PURITY ? (
        <AmountField label={text().counter.partsOf1000} text={piece.fineness} refusal={typedFineness(piece)} />
      ) : null}
      <AmountField label={text().ui.weight} text={piece.weight} refusal={zeroFault(piece.weight)} place="weight" />
      <Choice name={text().ui.unit} chosen={piece.unit} options={unitOptions(WEIGHTS)} />
    </div>
  );
};

const isOneOf = <T extends object>(lines: T, name: PropertyKey): name is keyof T => Object.hasOwn(lines, name);

/** The terms in a line, for when they are folded away. */
const termsText = ({ margin, makingBy, making, tax, taxOn, roundTo }: Piece): string => {
  const { counter } = text();
  const figure = ({ value }: Signal<string>): string | null => {
    const read = readField(value, true);
    return "amount" in read ? read.amount : null;
  };
  const [ofMargin, charge, levied, rounded] = [margin, making, tax, roundTo].map(figure);
  const by = makingBy.value;
  const on = taxOn.value;
  const parts = [
    ofMargin ? counter.termMargin({ percent: percentText(ofMargin) }) : null,
    charge && isOneOf(counter.termMaking, by)
      ? counter.termMaking[by]({ amount: by === "percent" ? percentText(charge) : shown(charge) })
      : null,
    levied && isOneOf(counter.termTax, on) ? counter.termTax[on]({ percent: percentText(levied) }) : null,
    rounded ? counter.termRounded({ amount: shown(rounded) }) : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? counter.noTerms : listText(parts);
};

const Terms = ({ piece }: { readonly piece: Piece }) => {
  const { counter } = text();
  return (
    <details class="terms">
      <summary>{counter.terms({ said: termsText(piece), title: <span class="soft">{counter.termsTitle}</span> })}</summary>
      <div class="what">
        <AmountField label={counter.margin} unit="%" text={piece.margin} isOptional />
        <Choice name={counter.makingBy} chosen={piece.makingBy} options={makings()} />
        {piece.makingBy.value === "none" ? null : (
          <AmountField
            label={counter.making}
            unit={piece.makingBy.value === "percent" ? "%" : ""}
            text={piece.making}
            isOptional
          />
        )}
        <Choice name={counter.tax} chosen={piece.taxOn} options={taxed()} />
        {piece.taxOn.value === "none" ? null : <AmountField label={counter.tax} unit="%" text={piece.tax} isOptional />}
        <AmountField label={counter.roundTo} text={piece.roundTo} isOptional refusal={zeroFault(piece.roundTo)} />
      </div>
    </details>
  );
};

const fieldText = (field: string): string => lineOf(text().counter.fields, field, field.replaceAll("_", " "));

/** What the service refuses of a piece, with the name of what it is of. */
const faultText = ({ path, message }: NonNullable<Wire.QuotedPiece["error"]>): string =>
  `${fieldText(path.slice(path.lastIndexOf(".") + 1))}: ${message}`;

const PARTS = ["metal_value", "margin", "making", "tax", "rounding"] as const;

const isNone = (figure: string | undefined): boolean => figure === undefined || /^-?[0.]+$/.test(figure);

/** What the price of a piece is made of, in a line: the parts that are not zero. */
export const Parts = ({ of }: { readonly of: Wire.QuotedPiece }) => (
  <>
    <span>{text().counter.fine({ weight: <Figure of={of.fine_weight_grams} unit={text().names.short.gram} /> })}</span>
    {PARTS.filter((part) => part === "metal_value" || !isNone(of[part])).map((part) => (
      <span key={part}>{text().counter.parts[part]({ figure: <Figure of={of[part]} /> })}</span>
    ))}
  </>
);

/** What the piece costs, and what that is made of. */
const Price = ({ quoted, isPriced }: { readonly quoted: Wire.QuotedPiece | undefined; readonly isPriced: boolean }) => {
  if (quoted?.error !== undefined)
    return (
      <p class="fault" role="alert" dir="auto">
        {faultText(quoted.error)}
      </p>
    );
  if (quoted?.total === undefined) return <p class="soft">{isPriced ? "…" : text().counter.weighIt}</p>;
  return (
    <>
      <p class="piece-total">
        <Figure of={quoted.total} />
      </p>
      <p class="soft parts">
        <Parts of={quoted} />
      </p>
    </>
  );
};

interface PieceCardProps {
  readonly piece: Piece;
  /** Its place on the counter, from 1. */
  readonly place: number;
  readonly isPriced: boolean;
  readonly quoted: Wire.QuotedPiece | undefined;
}

export const PieceCard = ({ piece, place, isPriced, quoted }: PieceCardProps) => {
  const name = text().counter.piece({ place });
  return (
    <li class="panel piece" data-piece={place}>
      <fieldset>
        <legend class="unseen">{name}</legend>
        <header class="piece-head">
          <input
            aria-label={text().counter.pieceName}
            placeholder={name}
            maxLength={60}
            // An empty field has no direction of its own: its placeholder stands as the page does.
            dir={piece.name.value === "" ? undefined : "auto"}
            value={piece.name}
            onInput={({ currentTarget }) => {
              piece.name.value = currentTarget.value;
            }}
          />
          <Segments label={text().counter.sellOrBuy} chosen={piece.side} options={sides()} />
          <button
            type="button"
            class="small quiet"
            aria-label={text().counter.removePiece({ place })}
            onClick={() => removePiece(piece)}
          >
            {text().counter.remove}
          </button>
        </header>
        <What piece={piece} />
        <Terms piece={piece} />
      </fieldset>
      <div class="priced">
        <Price quoted={quoted} isPriced={isPriced} />
      </div>
    </li>
  );
};
