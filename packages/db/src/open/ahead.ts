/** The service's clock, for statements that record instants without being given one: those of COPY. */
import { formatInstant } from "../schema/columns.ts";

/** The setting that holds it, as an interval: how far that clock is ahead of the database's. */
export const AHEAD = "assay.ahead";

export const aheadOf = (nowMs: number): string =>
  `select ('${formatInstant(nowMs)}'::timestamptz - clock_timestamp())::text as ahead`;

/** Finds it out, and sets it for the session. */
export const setAhead = (nowMs: number): string =>
  `select set_config('${AHEAD}', ('${formatInstant(nowMs)}'::timestamptz - clock_timestamp())::text, false)`;
