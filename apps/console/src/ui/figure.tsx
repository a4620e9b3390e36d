/** A published figure, shown digit for digit with the reader's separators. */
import { separate, separatorsOf } from "../figures/separate.ts";

const separators = separatorsOf();

/** A figure as text, for labels of charts and attributes. */
export const shown = (figure: string): string => separate(figure, separators);

interface FigureProps {
  /** Decimal text as published; null when there is none. */
  readonly of: string | number | null | undefined;
  readonly unit?: string;
}

/** A figure; its `value` is the published text. */
export const Figure = ({ of, unit }: FigureProps) =>
  of === null || of === undefined ? (
    <span class="none">
      <span aria-hidden="true">–</span>
      <span class="unseen">unknown</span>
    </span>
  ) : (
    <data class="figure" value={of}>
      {shown(String(of))}
      {unit === undefined ? null : <span class="unit"> {unit}</span>}
    </data>
  );
