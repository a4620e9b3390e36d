/** Servers under the same load, alternating: CPU per request and requests per second of each. */
import { openLoad, type Target } from "./http-load.ts";
import { cpuMsOf } from "./process.ts";
import { median } from "./statistics.ts";

/** A server in a process of its own. */
export interface Server extends Target {
  readonly pid: number;
}

/** One round of one server. */
export interface Round {
  readonly cpuMicros: number;
  readonly perSecond: number;
}

/** How they are loaded. */
export interface Plan {
  readonly connections: number;
  readonly rounds: number;
  /** Requests to each before the first round: until then its code is being compiled. */
  readonly warmUp: number;
}

/** The approximate length of a server's round. */
const ROUND_MS = 1_000;

/**
 * Warms up every server, then loads them alternately.
 * @returns the rounds of each server, in their order
 */
export const compare = async (servers: readonly Server[], { connections, rounds, warmUp }: Plan): Promise<Round[][]> => {
  const loaded = servers.map((server) => {
    const load = openLoad(server, connections);
    const once = async (count: number): Promise<Round> => {
      const beforeMs = cpuMsOf(server.pid);
      const elapsedMs = await load.run(count, true);
      return { cpuMicros: ((cpuMsOf(server.pid) - beforeMs) * 1_000) / count, perSecond: (count * 1_000) / elapsedMs };
    };
    return { once, close: load.close, count: warmUp, rounds: [] as Round[] };
  });
  for (const each of loaded) {
    // Several times: at first the code is not compiled yet, and the rate means nothing.
    for (const share of [0.25, 0.5, 1]) {
      const { perSecond } = await each.once(each.count);
      each.count = Math.max(1, Math.round((perSecond * ROUND_MS * share) / 1_000));
    }
  }
  for (let round = 0; round < rounds; round += 1) for (const each of loaded) each.rounds.push(await each.once(each.count));
  for (const { close } of loaded) close();
  return loaded.map((each) => each.rounds);
};

/** The median over rounds of one figure. */
export const medianOf = (rounds: readonly Round[] | undefined, figure: keyof Round): number =>
  median((rounds ?? []).map((round) => round[figure]));

/** The median over rounds of one server's CPU divided by another's, each pair measured back to back. */
export const cpuRatio = (ours: readonly Round[] | undefined, theirs: readonly Round[] | undefined): number =>
  median((ours ?? []).map(({ cpuMicros }, round) => cpuMicros / (theirs?.[round]?.cpuMicros ?? Number.NaN)));
