/** The status document, which reports every outage. */
import { contract, type OutputOf } from "@assay/contract";
import { read } from "./call.ts";
import { eventually, type Waiting } from "./eventually.ts";

/** The content of /v1/status. */
export type Status = OutputOf<typeof contract.system.status>;

let asked = 0;

/** Reads the status, each time from another address: it is limited by address, and tests poll it. Needs TRUST_PROXY. */
export const readStatus = (url: string): Promise<Status> => {
  asked += 1;
  return read(url, contract.system.status, {}, { from: `198.18.${(asked >> 8) & 255}.${asked & 255}` });
};

/** Waits for a status. */
export const untilStatus = (
  url: string,
  what: string,
  holds: (status: Status) => boolean,
  waiting: Waiting = {},
): Promise<Status> => eventually(what, () => readStatus(url), holds, waiting);

/** Waits until the history is whole: older bars follow behind `ready`. */
export const untilHistory = (url: string): Promise<Status> =>
  untilStatus(url, "the history is complete", ({ history }) => history.complete, { withinMs: 240_000, everyMs: 500 });
