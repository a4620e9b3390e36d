/** The report as JSON: the run, how many checks came out how, and every result. */
import { countsOf, type Report } from "./outcome.ts";

/** The whole document, ending in a line break. */
export const jsonOf = ({ results, ...run }: Report): string =>
  `${JSON.stringify({ ...run, counts: countsOf(results), results }, null, 2)}\n`;
