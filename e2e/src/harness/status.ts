/** The status document, which every outage shows in. */
import { contract, type OutputOf } from "@assay/contract";
import { read } from "./call.ts";
import { eventually, type Waiting } from "./eventually.ts";

/** What /v1/status says. */
export type Status = OutputOf<typeof contract.system.status>;

let asked = 0;

/** Reads the status, each time from another address: it is limited by address, and tests look often. Needs TRUST_PROXY. */
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
