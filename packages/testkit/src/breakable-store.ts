/** A store that can be made to fail. */
import { type Store, StoreUnavailableError } from "@assay/db";

/** A store with a switch. */
export interface BreakableStore extends Store {
  /** From now on every query fails. */
  break(): void;
  /** Answers again. */
  mend(): void;
  /** The number of queries received, answered or not. */
  readonly questions: number;
}

/** Wraps a store in a switch. Closing it closes the store. */
export const breakableStore = (store: Store): BreakableStore => {
  let broken = false;
  let questions = 0;
  const guard = <T>(ask: () => Promise<T>): Promise<T> => {
    questions += 1;
    return broken ? Promise.reject(new StoreUnavailableError("the database does not answer: ECONNREFUSED")) : ask();
  };
  return {
    ...store,
    run: (work, timeoutMs) => guard(() => store.run(work, timeoutMs)),
    readRow: (query) => guard(() => store.readRow(query)),
    ping: (timeoutMs) => guard(() => store.ping(timeoutMs)),
    break: () => {
      broken = true;
    },
    mend: () => {
      broken = false;
    },
    get questions() {
      return questions;
    },
  };
};
