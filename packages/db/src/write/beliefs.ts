/** Writes belief states to the store. */
import type { BeliefState } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";

/** The upsert of a moment's belief states, to run behind the fence; empty for no states. */
export const upsertOfBeliefs = (states: readonly BeliefState[]): SQL[] =>
  states.length === 0
    ? []
    : [
        sql`
          insert into beliefs (instrument, document)
          select state ->> 'instrument', state
          from fence, json_array_elements(${JSON.stringify(states)}::text::json) as state
          on conflict (instrument) do update set document = excluded.document`,
      ];
