/**
 * `npm run bench [-- P1 P3 …]`: goals beside their floors, several runs of each. `--check` compares the figures of
 * `baseline.json` for a machine of this speed.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Goal, isReached, NotMeasured, type RunOptions } from "./goal.ts";
import { aggregate } from "./goals/aggregate.ts";
import { alerts } from "./goals/alerts.ts";
import { answers } from "./goals/answers.ts";
import { barsCold } from "./goals/bars-cold.ts";
import { compose } from "./goals/compose.ts";
import { dear } from "./goals/dear.ts";
import { idle } from "./goals/idle.ts";
import { largeRequests } from "./goals/large-requests.ts";
import { load } from "./goals/load.ts";
import { sizes } from "./goals/sizes.ts";
import { memory, start } from "./goals/start.ts";
import { streams } from "./goals/streams.ts";
import { check } from "./judge/check.ts";
import { floorMicros } from "./judge/floor.ts";
import { useText } from "./judge/machine.ts";
import { isDisturbed, JUDGED_FROM, type Measured, measure } from "./judge/runs.ts";
import { canReadProcesses } from "./measure/process.ts";

const GOALS: readonly Goal[] = [
  compose,
  alerts,
  aggregate,
  sizes,
  ...answers,
  barsCold,
  streams,
  start,
  memory,
  dear,
  largeRequests,
  load,
  idle,
];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const numberText = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

const verdictOf = (measured: Measured): string => {
  const { figure, values, use } = measured;
  if (figure.bound === undefined) return isDisturbed(measured) ? "on a busy machine" : "";
  if (isDisturbed(measured)) return `NOT JUDGED: ${useText(use)}`;
  if (values.length < JUDGED_FROM && figure.isCount !== true) return `NOT JUDGED: fewer than ${JUDGED_FROM} runs`;
  return isReached(figure.value, figure.bound) ? "reached" : "missed";
};

const rowOf = (id: string, measured: Measured) => {
  const { figure, values } = measured;
  const { bound, unit } = figure;
  return {
    goal: id,
    what: figure.what,
    figure: `${numberText(figure.value)} ${unit}`,
    spread: `${numberText(values[0] ?? Number.NaN)} to ${numberText(values.at(-1) ?? Number.NaN)} in ${values.length}`,
    bound: bound === undefined ? "—" : "atMost" in bound ? `≤ ${bound.atMost} ${unit}` : `≥ ${bound.atLeast} ${unit}`,
    verdict: verdictOf(measured),
  };
};

const print = async (goals: readonly Goal[], options: RunOptions, runs: number): Promise<void> => {
  const rows: ReturnType<typeof rowOf>[] = [];
  for (const goal of goals) {
    try {
      for (const measured of await measure(goal, options, goal.isLong ? 1 : runs)) {
        const row = rowOf(goal.id, measured);
        rows.push(row);
        say(`${row.goal}  ${row.what}: ${row.figure} — ${measured.figure.raw}`);
      }
    } catch (error) {
      if (!(error instanceof NotMeasured)) throw error;
      say(`${goal.id}  skipped: ${error.message}`);
    }
  }
  console.table(rows);
};

const run = async (): Promise<boolean> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      runs: { type: "string", default: String(JUDGED_FROM) },
      minutes: { type: "string" },
      check: { type: "boolean", default: false },
    },
  });
  const wanted = positionals.map((id) => id.toUpperCase());
  const known = GOALS.map(({ id }) => id);
  const unknown = wanted.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new Error(`unknown goal ${unknown.join(", ")}; the goals are ${known.join(", ")}`);
  if (!canReadProcesses) throw new Error("CPU is read from /proc, which this system does not have");
  const floor = await floorMicros();
  say(
    `${cpus().length} cores, ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}: a bare answer takes ${floor.toFixed(1)} µs`,
  );
  const isWanted = ({ id, isLong }: Pick<Goal, "id" | "isLong">): boolean => (wanted.length > 0 ? wanted.includes(id) : !isLong);
  if (values.check) return check(GOALS, floor, (id) => isWanted({ id }), say);
  const goals = GOALS.filter(isWanted);
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  await print(goals, { isCheck: false, minutes }, Math.max(1, Number(values.runs) || JUDGED_FROM));
  return true;
};

run().then(
  (isGood) => process.exit(isGood ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
    process.exit(1);
  },
);
