/** Two servers under the same load, alternating: CPU per request and requests per second of each. */
import type { Child } from "./child.ts";
import type { LoadOrder, LoadReport } from "./load-part.ts";
import { median } from "./statistics.ts";

/** A server under load. */
export interface Target {
  readonly child: Pick<Child<unknown, never, never>, "cpuMs">;
  readonly port: number;
  readonly request: string;
}

/** One round of one server. */
export interface Round {
  readonly cpuMicros: number;
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** The load generator. */
export type Loader = Child<null, LoadOrder, LoadReport>;

/** How a server is loaded. */
export type Load = Pick<LoadOrder, "connections" | "isBusy">;

/** Loads a server once. */
export const loadOnce = async (loader: Loader, target: Target, load: Load, count: number): Promise<Round> => {
  const before = target.child.cpuMs();
  const report = await loader.run({ ...load, port: target.port, request: target.request, count });
  const cpuMs = target.child.cpuMs() - before;
  return { cpuMicros: (cpuMs * 1000) / count, perSecond: (count * 1000) / report.elapsedMs, p99Ms: report.p99Ms };
};

/** Duration and number of rounds. */
export interface Plan extends Load {
  readonly rounds: number;
  /** The approximate length of one server's round. */
  readonly roundMs: number;
  /** Requests to each server before the first round: until then its code is being compiled. */
  readonly warmUp?: number;
}

/**
 * Warms up every server, then loads them alternately.
 * @returns the rounds of each server, in the order of the targets
 */
export const compare = async (loader: Loader, targets: readonly Target[], plan: Plan): Promise<Round[][]> => {
  const { rounds: times, roundMs, warmUp = 0, ...load } = plan;
  const counts: number[] = [];
  for (const target of targets) {
    let { perSecond } = await loadOnce(loader, target, load, Math.max(warmUp, load.connections));
    // Several times: at first the code is not compiled yet, and the rate means nothing.
    for (const share of [0.25, 0.5, 0.5]) {
      perSecond = (await loadOnce(loader, target, load, atLeastOne((perSecond * roundMs * share) / 1000))).perSecond;
    }
    counts.push(atLeastOne((perSecond * roundMs) / 1000));
  }
  const rounds: Round[][] = targets.map(() => []);
  for (let round = 0; round < times; round += 1) {
    for (const [index, target] of targets.entries()) {
      rounds[index]?.push(await loadOnce(loader, target, load, counts[index] ?? 1));
    }
  }
  return rounds;
};

const atLeastOne = (count: number): number => Math.max(1, Math.round(count));

/** The median over rounds of one figure. */
export const medianOf = (rounds: readonly Round[] | undefined, figure: keyof Round): number =>
  median((rounds ?? []).map((round) => round[figure]));

/** The median over rounds of one server's figure divided by another's, each pair measured back to back. */
export const ratioOf = (ours: readonly Round[] | undefined, theirs: readonly Round[] | undefined, figure: keyof Round): number =>
  median((ours ?? []).map((round, index) => round[figure] / (theirs?.[index]?.[figure] ?? Number.NaN)));
