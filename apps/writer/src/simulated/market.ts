/** The simulated market as the writer runs it: the only non-test file that opens it. */
import { SIMULATED_SOURCE, type SimulatedHours, simulatedSource } from "@assay/simulator";
import type { SimulatedMarket } from "../term/term-options.ts";
import { fillOlder, makeNewest } from "./bars.ts";
import { fillSettlements } from "./settlements.ts";

/** Options of the simulated market. */
export interface Simulation {
  /** The same seed always gives the same market. */
  readonly seed: number;
  /** When it trades. */
  readonly hours: SimulatedHours;
  /** Days of intraday bars an empty store starts with. */
  readonly historyDays: number;
}

/** Opens it. */
export const openSimulatedMarket = ({ seed, hours, historyDays }: Simulation): SimulatedMarket => ({
  source: simulatedSource({ seed, hours }),
  barSource: SIMULATED_SOURCE,
  makeNewest: async (writing) => {
    const writeBars = await makeNewest({ ...writing, seed, hours, historyDays });
    return async () => {
      await fillSettlements({ ...writing, seed });
      await writeBars();
    };
  },
  fillOlder: async (writing) => {
    await fillOlder({ ...writing, seed, hours });
  },
});
