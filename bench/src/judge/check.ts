/** Compares what is measured with the baseline of a machine of this speed. */
import { type Goal, NotMeasured } from "../goal.ts";
import { type BaselineFigure, comparison, isWorse, readBaseline } from "./baseline.ts";
import { useText } from "./machine.ts";
import { isDisturbed, JUDGED_FROM, type Measured, measure } from "./runs.ts";

type Outcome = "ok" | "WORSE" | "not judged";

/** No goal is started after this, so that a slow machine does not hold up who waits for it. */
const CHECK_MS = 180_000;
const CHECK_OPTIONS = { isCheck: true, minutes: undefined };

/** What a figure of the baseline has become, and how to say it. */
export const judge = (
  base: BaselineFigure,
  floor: number,
  measured: readonly Measured[] | NotMeasured,
): readonly [Outcome, string] => {
  if (measured instanceof NotMeasured) return ["not judged", measured.message];
  const found = measured.find(({ figure }) => figure.what === base.what);
  if (!found) return ["WORSE", "nothing measures it any more"];
  const compared = comparison(base, floor, found.figure.value);
  if (isDisturbed(found)) return ["not judged", `${compared}; ${useText(found.use)}`];
  return [isWorse(base, floor, found.figure) ? "WORSE" : "ok", `${compared} — ${found.figure.raw}`];
};

/** The last lines: how many passed, how many failed, and how many did neither. */
export const summaryOf = (outcomes: readonly Outcome[]): string[] => {
  const count = (outcome: Outcome): number => outcomes.filter((each) => each === outcome).length;
  const unjudged = count("not judged");
  return [
    ...(unjudged > 0 ? [`NOT JUDGED: ${unjudged} of ${outcomes.length} figures, neither passed nor failed`] : []),
    `${count("ok")} passed, ${count("WORSE")} failed`,
  ];
};

const tryToMeasure = (goal: Goal, runs: number): Promise<Measured[] | NotMeasured> =>
  measure(goal, CHECK_OPTIONS, runs).catch((error: unknown) => {
    if (error instanceof NotMeasured) return error;
    throw error;
  });

/**
 * Compares the figures of the baseline. What seems worse is run again: a regression shows in the median of several runs too.
 * @param floor CPU of a bare answer on this machine, in microseconds
 * @param isWanted which goals
 * @param say prints a line
 * @returns whether none is worse
 */
export const check = async (
  goals: readonly Goal[],
  floor: number,
  isWanted: (id: string) => boolean,
  say: (line: string) => void,
): Promise<boolean> => {
  const figures = readBaseline().filter(({ id }) => isWanted(id));
  const startedMs = performance.now();
  const outcomes: Outcome[] = [];
  for (const id of new Set(figures.map((base) => base.id))) {
    const goal = goals.find((each) => each.id === id);
    const isLate = performance.now() - startedMs > CHECK_MS;
    const measureAll = async (runs: number): Promise<readonly Measured[] | NotMeasured> => (goal ? tryToMeasure(goal, runs) : []);
    const bases = figures.filter((base) => base.id === id);
    const judgeAll = (measured: readonly Measured[] | NotMeasured) => bases.map((base) => judge(base, floor, measured));
    let judged = judgeAll(isLate ? new NotMeasured("no time is left") : await measureAll(1));
    if (judged.some(([outcome]) => outcome === "WORSE")) judged = judgeAll(await measureAll(JUDGED_FROM));
    for (const [index, [outcome, why]] of judged.entries()) {
      outcomes.push(outcome);
      say(`${outcome}: ${id}  ${bases[index]?.what}: ${why}`);
    }
  }
  for (const line of summaryOf(outcomes)) say(line);
  return !outcomes.includes("WORSE");
};
