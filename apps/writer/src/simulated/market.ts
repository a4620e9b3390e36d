/** The simulated market as the writer runs it: the only non-test file that opens it. */
import { SIMULATED_SOURCE, type SimulatedHours, simulatedSource } from "@assay/simulator";
import { allDone } from "../term/all-done.ts";
import type { SimulatedMarket } from "../term/term-options.ts";
import { fillNewest, fillOlder } from "./bars.ts";
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
  fillNewest: async (writing) => {
    // While the first bars are made.
    await allDone([fillSettlements({ ...writing, seed }), fillNewest({ ...writing, seed, hours, historyDays })]);
  },
  fillOlder: async (writing) => {
    await fillOlder({ ...writing, seed, hours });
  },
});
