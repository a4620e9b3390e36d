/** A server cut off from the network answers neither yes nor no; its callers are not kept longer than this. */
import { StoreUnavailableError } from "../errors.ts";

/**
 * Waits for work, but not for ever.
 * @throws StoreUnavailableError when it is not done in time
 */
export const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = () => reject(new StoreUnavailableError(`the database does not answer within ${ms} ms`));
    const timer = setTimeout(late, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
