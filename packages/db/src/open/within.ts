/** A timeout for calls to the server, which never answers when the network is cut. */
import { StoreUnavailableError } from "../errors.ts";

/**
 * Waits for work with a timeout.
 * @throws StoreUnavailableError when it is not done in time
 */
export const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = () => reject(new StoreUnavailableError(`the database does not answer within ${ms} ms`));
    const timer = setTimeout(late, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
