/** The table: a row for each route, a column for each family of checks. */
import Table from "cli-table3";
import { countOf, GROUPS, type Report, type Result } from "./outcome.ts";

/** A cell: the numbers passed, failed and not checked; a dot when there was nothing to check. */
const cellOf = (results: readonly Result[]): string => {
  if (results.length === 0) return "·";
  const [passed, failed, left] = [countOf(results, "passed"), countOf(results, "failed"), countOf(results, "not checked")];
  return [
    ...(failed > 0 ? [`${failed} FAILED`] : []),
    ...(passed > 0 ? [`${passed} ok`] : []),
    ...(left > 0 ? [`${left} not checked`] : []),
  ].join(", ");
};

/** The whole table as text without colours. */
export const tableOf = ({ results }: Pick<Report, "results">): string => {
  const table = new Table({ head: ["route", ...GROUPS], style: { head: [], border: [], compact: true } });
  for (const route of new Set(results.map((result) => result.route))) {
    const ofRoute = results.filter((result) => result.route === route);
    table.push([route, ...GROUPS.map((group) => cellOf(ofRoute.filter((result) => result.group === group)))]);
  }
  return table.toString();
};
