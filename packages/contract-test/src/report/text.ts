/** The report for people: the table, every failure described, what was not checked and why, the totals. */
import { countOf, type Failure, type Report, type Result } from "./outcome.ts";
import { tableOf } from "./table.ts";

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

/** The last line. */
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
