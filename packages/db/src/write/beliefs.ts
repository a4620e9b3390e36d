/** States of belief into the store. */
import type { BeliefState } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";

/** The upsert of a moment's states, to run behind the fence; none for no states. */
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
