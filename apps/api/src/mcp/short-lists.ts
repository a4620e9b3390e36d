/** Cuts lists to what a language model can read, and says so in the answer. */

/** The most rows of a list in a tool's answer. */
export const MAX_ROWS = 100;

/** The field that says that a list was cut. */
export const TRUNCATED = {
  type: "string",
  description: `Present when rows were left out: lists have at most ${MAX_ROWS} rows here`,
} as const;

/** Lowers a route's `limit` to the most rows an answer has. */
export const withShortLimit = (args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { limit } = args;
  return typeof limit === "number" && limit > MAX_ROWS ? { ...args, limit: MAX_ROWS } : args;
};

/**
 * Cuts the lists of an answer.
 * @param output a route's answer
 * @param args the arguments as given, before `withShortLimit`
 * @returns the same object when nothing is left out
 */
export const withShortLists = (
  output: Readonly<Record<string, unknown>>,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const { limit } = args;
  const isLowered = typeof limit === "number" && limit > MAX_ROWS;
  const notes: string[] = [];
  const cut = Object.entries(output).map(([name, value]): [string, unknown] => {
    if (!Array.isArray(value)) return [name, value];
    if (value.length > MAX_ROWS) {
      notes.push(`${name} has the first ${MAX_ROWS} of ${value.length} rows.`);
      return [name, value.slice(0, MAX_ROWS)];
    }
    if (isLowered && value.length === MAX_ROWS) {
      notes.push(`${name} has the first ${MAX_ROWS} rows of at most ${limit}; narrow the window, or pass next_cursor as cursor.`);
    }
    return [name, value];
  });
  return notes.length === 0 ? output : { ...Object.fromEntries(cut), truncated: notes.join(" ") };
};
