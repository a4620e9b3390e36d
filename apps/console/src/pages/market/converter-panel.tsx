/** Amounts of metal in money and back, asked for one at a time: without a key each one is a call of ten a minute. */
import { CONVERTIBLES, type Convertible, WEIGHT_UNITS, type WeightUnit } from "@assay/sdk";
import { useSignal } from "@preact/signals";
import { useAnswer } from "../../data/answers.ts";
import { Figure } from "../../ui/figure.tsx";
import { Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { Select } from "../../ui/select.tsx";

const NAMES: Partial<Record<Convertible, string>> = { XAU: "Gold (XAU)", XAG: "Silver (XAG)" };
const CODES = CONVERTIBLES.map((code) => ({ value: code, text: NAMES[code] ?? code }));
const UNIT_TEXT: Readonly<Record<WeightUnit, string>> = { oz: "troy ounces", gram: "grams", kg: "kilograms" };
const UNITS = WEIGHT_UNITS.map((unit) => ({ value: unit, text: UNIT_TEXT[unit] }));

interface Question {
  readonly from: Convertible;
  readonly to: Convertible;
  readonly amount: string;
  readonly unit: WeightUnit;
}

const isMetal = (code: Convertible): boolean => code === "XAU" || code === "XAG";

const Result = ({ question }: { readonly question: Question }) => {
  const { from, to, amount, unit } = question;
  const { data, error, isAsking, askAgain } = useAnswer(["convert", from, to, amount, unit], (api, options) =>
    api.convert.get.query(question, options),
  );
  if (error !== null) return <Refusal error={error} askAgain={askAgain} />;
  if (data === undefined) return <p class="result soft">{isAsking ? "Converting …" : ""}</p>;
  return (
    <p class="result">
      <strong>
        <Figure of={data.result} /> {isMetal(to) ? `${NAMES[to]}, ${UNIT_TEXT[unit]}` : data.to}
      </strong>
      <span class="soft">
        at <Figure of={data.rate} />, computed <Moment at={data.timestamp} />
      </span>
    </p>
  );
};

/** The panel. */
export const ConverterPanel = () => {
  const amount = useSignal("10");
  const from = useSignal<Convertible>("XAU");
  const to = useSignal<Convertible>("EUR");
  const unit = useSignal<WeightUnit>("gram");
  const question = useSignal<Question | null>(null);
  const hasUnit = isMetal(from.value) || isMetal(to.value);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    question.value = { from: from.value, to: to.value, amount: amount.value.trim(), unit: unit.value };
  };
  return (
    <Panel title="Converter" place="converter">
      <form class="convert" onSubmit={submit}>
        <label class="field">
          <span class="soft">Amount</span>
          <input
            inputMode="decimal"
            required
            maxLength={40}
            pattern="\d+(\.\d+)?"
            title="A plain decimal, such as 10 or 2.5"
            value={amount}
            onInput={({ currentTarget }) => {
              amount.value = currentTarget.value;
            }}
          />
        </label>
        <div class="field">
          <span class="soft" aria-hidden="true">
            of
          </span>
          <Select label="From" chosen={from} options={CODES} />
        </div>
        <div class="field">
          <span class="soft" aria-hidden="true">
            in
          </span>
          <Select label="To" chosen={to} options={CODES} />
        </div>
        {hasUnit ? (
          <div class="field">
            <span class="soft" aria-hidden="true">
              metal by
            </span>
            <Select label="Weight of the metal" chosen={unit} options={UNITS} />
          </div>
        ) : null}
        <button type="submit" class="primary">
          Convert
        </button>
      </form>
      <div class="result-place">{question.value === null ? null : <Result question={question.value} />}</div>
    </Panel>
  );
};
