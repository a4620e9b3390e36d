/**
 * The fence that keeps an old writer out. A write and its check are one statement: there is no moment between them, no
 * transaction a frozen writer could leave open, and none that a lost connection could tear in two.
 */
import { type SQL, sql } from "drizzle-orm";
import { StaleTokenError } from "../errors.ts";
import { rowsOf, type Store } from "../store.ts";

/** Who writes, under which token. A lease token will do. */
export interface WriterToken {
  readonly token: number;
  readonly holder: string;
}

/** How a statement is run. */
export interface FencedOptions {
  readonly timeoutMs?: number;
  /** Do not wait for the disk: the next statement that does makes this one durable with it. */
  readonly isFollowed?: boolean;
}

/** One row when the writer passes, none when a newer token, or the same token of another holder, was there before. */
const passing = ({ token, holder }: WriterToken) => sql`
  update writer_fence set
    token = ${token}::text::bigint,
    holder = ${holder},
    since = case when token < ${token}::text::bigint then now() else since end
  where token < ${token}::text::bigint or (token = ${token}::text::bigint and holder = ${holder})
  returning 1 as passed`;

/**
 * Runs inserts behind the fence, all or none, in one statement. The row of the fence stays locked until it ends, so no
 * newer writer comes between.
 * @param writer without one the fence stands open
 * @param inserts each reads from `fence`, which has one row when they may happen and none when not
 * @throws StaleTokenError when the writer is not let through; nothing is kept
 */
export const insertBehindFence = async (
  store: Store,
  writer: WriterToken | undefined,
  inserts: readonly SQL[],
  { timeoutMs, isFollowed = false }: FencedOptions = {},
): Promise<void> => {
  const fence = writer ? passing(writer) : sql`select 1 as passed`;
  const steps = inserts.map((insert, index) => sql`, ${sql.raw(`step_${index}`)} as (${insert})`);
  const commit = isFollowed ? sql`, set_config('synchronous_commit', 'off', true)` : sql``;
  const statement = sql`with fence as (${fence}) ${sql.join(steps)} select passed ${commit} from fence`;
  const passed = await store.run((db) => rowsOf(db, statement, "prepared"), timeoutMs);
  if (writer && passed.length === 0) throw new StaleTokenError(writer.token);
};

/**
 * Raises the fence at a takeover, before the first write: from now on the former holder is refused.
 * @throws StaleTokenError when a newer token was there before
 */
export const claimFence = (store: Store, token: number, holder: string): Promise<void> =>
  insertBehindFence(store, { token, holder }, []);
