/** The head of a table. */

/** A column: of words, or of figures, which stand to the right. */
export type Column = string | { readonly figures: string };

/** Columns of figures. */
export const figures = (...names: readonly string[]): readonly Column[] => names.map((name) => ({ figures: name }));

/** The row of column names. */
export const Heads = ({ columns }: { readonly columns: readonly Column[] }) => (
  <thead>
    <tr>
      {columns.map((column) =>
        typeof column === "string" ? (
          <th key={column} scope="col">
            {column}
          </th>
        ) : (
          <th key={column.figures} scope="col" class="number">
            {column.figures}
          </th>
        ),
      )}
    </tr>
  </thead>
);
