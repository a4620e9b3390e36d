/** The fence that keeps an old writer out: every write of a writer passes it in its own transaction. */
import { and, eq, lt, or, sql } from "drizzle-orm";
import { StaleTokenError } from "../errors.ts";
import { writerFence } from "../schema/writer-fence.ts";
import type { Database, Store } from "../store.ts";

/** Who writes, under which token. A lease token will do. */
export interface WriterToken {
  readonly token: number;
  readonly holder: string;
}

/**
 * Passes the fence inside a transaction and keeps it locked until the end, so no newer writer comes between.
 * @throws StaleTokenError when a newer token, or the same token of another holder, was there before
 */
export const passFence = async (db: Database, writer: WriterToken): Promise<void> => {
  const passed = await db
    .update(writerFence)
    .set({
      token: writer.token,
      holder: writer.holder,
      since: sql`case when ${writerFence.token} < ${writer.token} then now() else ${writerFence.since} end`,
    })
    .where(
      or(lt(writerFence.token, writer.token), and(eq(writerFence.token, writer.token), eq(writerFence.holder, writer.holder))),
    )
    .returning({ token: writerFence.token });
  if (passed.length === 0) throw new StaleTokenError(writer.token);
};

/**
 * Raises the fence at a takeover, before the first write: from now on the former holder is refused.
 * @throws StaleTokenError when a newer token was there before
 */
export const claimFence = (store: Store, token: number, holder: string): Promise<void> =>
  store.run((db) => passFence(db, { token, holder }));
