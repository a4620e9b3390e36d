/** Removes stored settlements of days on which the exchange does not settle, from before such days were refused. */
import { dropSettlements, readSettlementDays, type Store, type WriterToken } from "@assay/db";
import { isBusinessDay } from "@assay/pricing";
import type { WriterLog } from "../writer-log.ts";

/** Deletes them, so that they are never served or compared with. */
export const dropHolidaySettlements = async (store: Store, writer: WriterToken, log: WriterLog): Promise<void> => {
  const days = (await readSettlementDays(store)).filter((day) => !isBusinessDay(day));
  if (days.length === 0) return;
  await dropSettlements(store, writer, days);
  log.info(`deleted the settlements of ${days.length} days on which the exchange does not settle`, { days });
};
