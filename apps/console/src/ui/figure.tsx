/** A published figure, shown digit for digit with the reader's separators, and the badge beside it. */
import { type ComponentChild, type ComponentChildren, toChildArray } from "preact";
import { separators, shown } from "../figures/digits.ts";
import { text } from "../text/text.ts";

export interface FigureProps {
  /** Decimal text as published; null when there is none. */
  readonly of: string | number | null | undefined;
  readonly unit?: string;
}

/** Digits run from left to right in every language, signs with them; a unit stands where the language has it. */
const Digits = ({ of }: { readonly of: string | number }) => <bdi dir="ltr">{shown(String(of))}</bdi>;

const Sign = ({ children }: { readonly children: string }) => <span class="unit">{children}</span>;

const percentOf = (of: string | number): readonly ComponentChild[] =>
  toChildArray(text().figures.percent({ figure: <Digits of={of} />, sign: separators.value.percent })).map((part) =>
    typeof part === "string" ? <Sign>{part}</Sign> : part,
  );

/** A figure; its `value` is the published text. */
export const Figure = ({ of, unit }: FigureProps) =>
  of === null || of === undefined ? (
    <span class="none">
      <span aria-hidden="true">–</span>
      <span class="unseen">{text().figures.unknown}</span>
    </span>
  ) : (
    // Beside Latin digits the sign of percent runs with them, from right to left as well.
    <data class="figure" value={of} dir={unit === "%" && separators.value.percent === "%" ? "ltr" : undefined}>
      {unit === "%" ? percentOf(of) : <Digits of={of} />}
      {unit === undefined || unit === "%" ? null : <span class="unit"> {unit}</span>}
    </data>
  );

/** How much attention it asks for. */
export type Tone = "good" | "plain" | "warn" | "bad" | "accent";

interface BadgeProps {
  readonly tone: Tone;
  /** The long form, on hover. */
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

export const Badge = ({ tone, title, children }: BadgeProps) => (
  <span class={`badge ${tone}`} title={title}>
    {children}
  </span>
);
