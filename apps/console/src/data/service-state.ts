/** The service's own account of itself; it needs no key and counts against no quota. */
import type { Wire } from "@assay/sdk/trpc";
import { type Answer, useAnswer } from "./answers.ts";
import { note } from "./status-history.ts";

/** How often it is read. */
const STATUS_EVERY_SECONDS = 10;

/** Follows the status while a component is shown. */
export const useStatus = (isWanted = true): Answer<Wire.Status> =>
  useAnswer(
    ["status"],
    async (api, options) => {
      const status = await api.system.status.query(undefined, options);
      note(status);
      return status;
    },
    { everySeconds: STATUS_EVERY_SECONDS, isWanted },
  );
