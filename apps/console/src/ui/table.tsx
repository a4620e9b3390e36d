/** Tables: their head, their cells of figures, and a frame that scrolls when they are wider than the page. */
import type { ComponentChildren } from "preact";
import { Figure, type FigureProps } from "./figure.tsx";

/** A column: of words, of words that have another place on a phone, or of figures, which stand to the right. */
type Column = string | { readonly wideOnly: string } | { readonly figures: string };

export const figures = (...names: readonly string[]): readonly Column[] => names.map((name) => ({ figures: name }));

export const Heads = ({ columns }: { readonly columns: readonly Column[] }) => (
  <thead>
    <tr>
      {columns.map((column, place) =>
        typeof column === "string" ? (
          <th key={place} scope="col">
            {column}
          </th>
        ) : "wideOnly" in column ? (
          <th key={place} scope="col" class="wide-only">
            {column.wideOnly}
          </th>
        ) : (
          <th key={place} scope="col" class="number">
            {column.figures}
          </th>
        ),
      )}
    </tr>
  </thead>
);

export const Cell = (props: FigureProps) => (
  <td class="number">
    <Figure {...props} />
  </td>
);

/** A table that scrolls within itself when it is wider than the page, also by keyboard. */
export const Wide = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section class="wide" aria-label={label} tabIndex={0}>
    {children}
  </section>
);
