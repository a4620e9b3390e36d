/** A COPY into a PostgreSQL server, on a dedicated connection that ends with it. */
import { setImmediate } from "node:timers/promises";
import type postgres from "postgres";
import { StoreQueryError, StoreUnavailableError, translate } from "../errors.ts";
import { BULK_TIMEOUT_MS, type RowStream } from "../store.ts";
import { within } from "./within.ts";

/**
 * Starts a COPY.
 * @param client with a single connection, which is closed at the end
 * @param statement `copy … from stdin`
 * @param isCut whether its connection has closed: the driver then opens another, on which the COPY is not known
 */
export const openRowStream = async (client: postgres.Sql, statement: string, isCut: () => boolean): Promise<RowStream> => {
  const close = (): Promise<void> => client.end({ timeout: 1 });
  const begin = async () => {
    try {
      return await within(BULK_TIMEOUT_MS, client.unsafe(statement).writable());
    } catch (error) {
      await close();
      throw error;
    }
  };
  const stream = await begin();
  let fault: Error | undefined;
  stream.on("error", (error) => {
    fault ??= error;
  });
  /** Prefers the server's error to the stream's later ones. */
  const refuse = (error: unknown): never => {
    throw translate(fault ?? error);
  };

  /**
   * Whether the server accepted the rows. When it refuses them after their end, postgres.js 3.4 reports nothing
   * (https://github.com/porsager/postgres/issues/1173). But a connection answers in order: once it has answered a query sent
   * after the end, the end has been answered or never will be. The query is empty, because the driver takes the completion of any
   * other for that of the rows.
   */
  const isTaken = async (): Promise<boolean> => {
    let taken = false;
    stream.end((error?: Error | null) => {
      taken = !error;
    });
    await setImmediate();
    if (fault) throw fault;
    await client.unsafe("").simple();
    await setImmediate();
    if (!taken && isCut()) throw new StoreUnavailableError("the database does not answer: the connection was cut during a COPY");
    return taken;
  };

  return {
    write: (text) => {
      const written = new Promise<void>((done, fail) => {
        stream.write(text, (error) => (error ? fail(error) : done()));
      });
      return within(BULK_TIMEOUT_MS, written).catch(refuse);
    },
    finish: async () => {
      try {
        const taken = await within(BULK_TIMEOUT_MS, isTaken()).catch(refuse);
        if (!taken) refuse(new StoreQueryError("the server refused the rows", ""));
      } finally {
        await close();
      }
    },
    abandon: async () => {
      stream.destroy(new Error("abandoned"));
      await close();
    },
  };
};
