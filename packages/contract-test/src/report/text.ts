/** The report for people: the table, every failure described, what was not checked and why, the totals. */
import Table from "cli-table3";
import { countOf, type Failure, GROUPS, type Report, type Result } from "./outcome.ts";

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

const linesOf = ({ what, contractSays, sent, cameBack }: Failure): string[] => [
  `  ${what}`,
  ...(contractSays === "" ? [] : [`    contract:  ${contractSays}`]),
  ...(sent === "" ? [] : [`    sent:      ${sent}`]),
  ...(cameBack === "" ? [] : [`    received:  ${cameBack}`]),
];

const failuresOf = (results: readonly Result[]): string[] =>
  results
    .filter(({ status }) => status === "failed")
    .flatMap(({ route, group, title, failures }) => ["", `FAILED ${route}, ${group}: ${title}`, ...failures.flatMap(linesOf)]);

/** What was not checked, by reason. */
const leftOut = (results: readonly Result[]): string[] => {
  const byReason = new Map<string, string[]>();
  for (const { status, reason = "", route, group, title } of results) {
    if (status === "not checked") byReason.set(reason, [...(byReason.get(reason) ?? []), `${route}, ${group}: ${title}`]);
  }
  return [...byReason].flatMap(([reason, checks]) => ["", `not checked: ${reason}`, ...checks.map((check) => `  ${check}`)]);
};

export const countLine = ({ results }: Pick<Report, "results">): string =>
  `${countOf(results, "passed")} passed, ${countOf(results, "failed")} failed, ${countOf(results, "not checked")} not checked`;

/** The whole report. */
export const textOf = (report: Report): string => {
  const seconds = (report.durationMs / 1_000).toFixed(1);
  const head = [
    `contract ${report.contractVersion} against ${report.baseUrl}, seed ${report.seed}`,
    `callers: ${report.callers.join(", ")}; ${report.requests} requests in ${seconds} s`,
  ];
  return [...head, tableOf(report), ...failuresOf(report.results), ...leftOut(report.results), "", countLine(report), ""].join(
    "\n",
  );
};
