/** The store as the rest of the process uses it: its outages are logged, and its calls watched. */
import { type Store, StoreQueryError, StoreUnavailableError } from "@assay/db";
import { type Around, type Clock, type Log, Outage } from "@assay/live";

/** What watches a store. */
export interface StoreWatch {
  readonly log: Log;
  readonly clock: Clock;
  /** Runs each call. */
  readonly around?: Around | undefined;
}

/** Wraps a store. */
export const watchStore = (store: Store, { log, clock, around = (work) => work() }: StoreWatch): Store => {
  const lines = {
    ...{ fields: { engine: "database" }, begins: "the database is unavailable; retrying" },
    ...{ lasts: "the database is still unavailable; retrying", ends: "the database is available again" },
  };
  const outage = new Outage({ log, clock, lines });
  let isClosing = false;

  const watched = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const value = await around(work);
      outage.recovered();
      return value;
    } catch (error) {
      if (error instanceof StoreQueryError) outage.recovered();
      else if (error instanceof StoreUnavailableError && !isClosing) outage.failed({ reason: error.message });
      throw error;
    }
  };

  const { copyText, copyInto } = store;
  return {
    kind: store.kind,
    description: store.description,
    db: store.db,
    run: (work, timeoutMs) => watched(() => store.run(work, timeoutMs)),
    readRow: (query) => watched(() => store.readRow(query)),
    copyText: copyText && ((statement, text) => watched(() => copyText(statement, text))),
    copyInto: copyInto && ((statement) => watched(() => copyInto(statement))),
    ping: (timeoutMs) => watched(() => store.ping(timeoutMs)),
    close: () => {
      isClosing = true;
      return store.close();
    },
  };
};
