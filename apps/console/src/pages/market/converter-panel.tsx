/** Any amount in money and back. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useAnswer } from "../../data/answers.ts";
import {
  currencyOptions,
  isConvertUnit,
  METALS,
  metalName,
  metalText,
  UNITS,
  unitOptions,
  unitText,
} from "../../data/catalogue.ts";
import { shown as shownFigure } from "../../figures/digits.ts";
import { readField } from "../../figures/typed.ts";
import { text } from "../../text/text.ts";
import { AmountField } from "../../ui/amount.tsx";
import { Select } from "../../ui/choose.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { conversion } from "./choices.ts";

/** What is converted until something else is typed. */
const FIRST = "10";
const METAL_CODES = METALS.filter(({ convertible }) => convertible).map(({ code }) => code);
const sides = () => [...METAL_CODES.map((code) => ({ value: code, text: `${code} · ${metalText(code)}` })), ...currencyOptions()];
const WEIGHTS = UNITS.filter(isConvertUnit);

interface Question {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly unit: string;
}

const isMetal = (code: string): boolean => METAL_CODES.includes(code);

const oneOf = (code: string, unit: string): string =>
  isMetal(code) ? text().names.weightOf({ unit: unitText(unit), metal: metalName(code) }) : code;

const Result = ({ question }: { readonly question: Question }) => {
  const { from, to, amount, unit } = question;
  const { data, error, isAsking, askAgain } = useAnswer(["convert", from, to, amount, unit], (api, options) =>
    api.convert.get.query(question, options),
  );
  if (error !== null) return <Refusal error={error} askAgain={askAgain} />;
  if (data === undefined) return <p class="result soft">{isAsking ? text().converter.converting : ""}</p>;
  return (
    <p class="result">
      <strong>
        <Figure of={data.result} /> {oneOf(to, unit)}
      </strong>
      <span class="soft">
        {text().converter.rate({
          one: shownFigure("1"),
          name: oneOf(from, unit),
          rate: <Figure of={data.rate} />,
          other: oneOf(to, unit),
          when: <Moment at={data.timestamp} />,
        })}
      </span>
    </p>
  );
};

/** Amounts of metal in money and back, asked for one at a time: without a key each one is a call of ten a minute. */
export const ConverterPanel = () => {
  const amount = useSignal(FIRST);
  const from = useSignal(conversion.peek().from);
  const to = useSignal(conversion.peek().to);
  const unit = useSignal(conversion.peek().unit);
  const question = useSignal<Question | null>(null);
  // The page's metal, currency and weight are where it begins.
  useSignalEffect(() => {
    from.value = conversion.value.from;
    to.value = conversion.value.to;
    unit.value = conversion.value.unit;
    question.value = null;
  });
  const hasUnit = isMetal(from.value) || isMetal(to.value);
  const read = readField(amount.value);
  const asked = "amount" in read ? read.amount : null;
  // What stands below is of what is typed now, or not there.
  const shown = question.value;
  const isAnswered =
    shown !== null && shown.amount === asked && shown.from === from.value && shown.to === to.value && shown.unit === unit.value;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    question.value = asked === null ? null : { from: from.value, to: to.value, amount: asked, unit: unit.value };
  };
  return (
    <Panel title={text().converter.title} place="converter">
      <form class="convert" onSubmit={submit} noValidate>
        <AmountField label={text().converter.amount} text={amount} place={hasUnit ? "" : "whole"} />
        {hasUnit ? (
          <div class="field">
            <span class="soft" aria-hidden="true">
              {text().converter.metalBy}
            </span>
            <Select label={text().converter.metalWeight} chosen={unit} options={unitOptions(WEIGHTS)} />
          </div>
        ) : null}
        <div class="field whole">
          <span class="soft" aria-hidden="true">
            {text().converter.of}
          </span>
          <Select label={text().converter.from} chosen={from} options={sides()} />
        </div>
        <div class="field whole">
          <span class="soft" aria-hidden="true">
            {text().converter.in}
          </span>
          <Select label={text().converter.to} chosen={to} options={sides()} />
        </div>
        <button type="submit" class="primary" disabled={asked === null}>
          {text().converter.convert}
        </button>
      </form>
      <div class="result-place">{isAnswered ? <Result question={shown} /> : null}</div>
    </Panel>
  );
};
