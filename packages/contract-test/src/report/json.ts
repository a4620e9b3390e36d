/** The report as JSON: the run, the number of checks by status, and every result. */
import { countsOf, type Report } from "./outcome.ts";

/** The whole document, with a trailing line break. */
export const jsonOf = ({ results, ...run }: Report): string =>
  `${JSON.stringify({ ...run, counts: countsOf(results), results }, null, 2)}\n`;
