/** Writes belief states to the store. */
import type { BeliefState } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { unnest, unnestJson } from "./columns.ts";

/** The upsert of a moment's belief states, to run behind the fence; empty for no states. */
export const upsertOfBeliefs = (states: readonly BeliefState[]): SQL[] =>
  states.length === 0
    ? []
    : [
        sql`
          insert into beliefs (instrument, document)
          select ${unnest(states, (state) => state.instrument, "text")}, ${unnestJson(states)}
          from fence
          on conflict (instrument) do update set document = excluded.document`,
      ];
