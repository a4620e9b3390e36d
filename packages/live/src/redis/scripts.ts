/** Every Lua script, by its name on the client. */
import { publishEvent } from "./scripts/bus.ts";
import { countCalls, readWindow } from "./scripts/calls.ts";
import { refundCall, seedCounts } from "./scripts/counters.ts";
import { putLatest } from "./scripts/latest.ts";
import { acquireLease, releaseLease, renewLease } from "./scripts/lease.ts";
import { countPlaces, keepProcess, restorePlaces, takePlace } from "./scripts/places.ts";
import { absorbCounts, noteSettled, readSettlements, takeDeltas } from "./scripts/settlement.ts";

export const scripts = {
  acquireLease,
  renewLease,
  releaseLease,
  putLatest,
  publishEvent,
  countCalls,
  readWindow,
  refundCall,
  seedCounts,
  readSettlements,
  takeDeltas,
  noteSettled,
  absorbCounts,
  takePlace,
  countPlaces,
  keepProcess,
  restorePlaces,
} as const;
