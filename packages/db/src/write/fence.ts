/**
 * The fence that stops an old writer. A write and its check are one statement: there is no moment between them, no transaction a
 * frozen writer could leave open, and none that a lost connection could split.
 */
import { type SQL, sql } from "drizzle-orm";
import { BarsRevisedError, StaleTokenError } from "../errors.ts";
import { readFenceToken } from "../read/fence.ts";
import { rowsOf, type Store } from "../store.ts";

/** Who writes, under which token. A lease token can be used. */
export interface WriterToken {
  readonly token: number;
  readonly holder: string;
}

/** How a statement is run. */
export interface FencedOptions {
  readonly timeoutMs?: number;
  /** Does not wait for the disk: the next statement that does makes this one durable as well. */
  readonly isFollowed?: boolean;
  /** Increments the revision of bars. With a number, the write is refused unless that is still the revision. */
  readonly revises?: number | true;
}

/** Whether a writer passes: not when a newer token, or the same token of another holder, was seen before. */
const mayPass = ({ token, holder }: WriterToken) =>
  sql`(token < ${token}::text::bigint or (token = ${token}::text::bigint and holder = ${holder}))`;

const enter = ({ token, holder }: WriterToken) => sql`
  token = ${token}::text::bigint,
  holder = ${holder},
  since = case when token < ${token}::text::bigint then now() else since end`;

/** One row when the write may happen, none when not. Locks the fence's row if it changes it. */
const fenceOf = (writer: WriterToken | undefined, revises: FencedOptions["revises"]): SQL => {
  if (!writer && revises === undefined) return sql`select 1 as passed`;
  const changes = [
    ...(writer ? [enter(writer)] : []),
    ...(revises === undefined ? [] : [sql`bars_revision = bars_revision + 1`]),
  ];
  const conditions = [
    ...(writer ? [mayPass(writer)] : []),
    ...(typeof revises === "number" ? [sql`bars_revision = ${String(revises)}::text::bigint`] : []),
  ];
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  return sql`update writer_fence set ${sql.join(changes, sql`, `)} ${where} returning 1 as passed`;
};

/**
 * Runs inserts behind the fence, all or none, in one statement. The fence's row stays locked until it ends, so no newer writer
 * can interleave.
 * @param writer when omitted, the fence is not checked
 * @param inserts each reads from `fence`, which has one row when they may happen and none when not
 * @throws StaleTokenError when the writer is refused; nothing is stored
 * @throws BarsRevisedError when the revision of bars has changed; nothing is stored
 */
export const insertBehindFence = async (
  store: Store,
  writer: WriterToken | undefined,
  inserts: readonly SQL[],
  { timeoutMs, isFollowed = false, revises }: FencedOptions = {},
): Promise<void> => {
  const fence = fenceOf(writer, revises);
  const steps = inserts.map((insert, index) => sql`, ${sql.raw(`step_${index}`)} as (${insert})`);
  const commit = isFollowed ? sql`, set_config('synchronous_commit', 'off', true)` : sql``;
  const statement = sql`with fence as (${fence}) ${sql.join(steps)} select passed ${commit} from fence`;
  const passed = await store.run((db) => rowsOf(db, statement, "prepared"), timeoutMs);
  if (passed.length > 0) return;
  if (typeof revises === "number" && (!writer || (await readFenceToken(store)) <= writer.token))
    throw new BarsRevisedError(revises);
  if (writer) throw new StaleTokenError(writer.token);
};

/**
 * Raises the fence at a takeover, before the first write: from then on the former holder is refused.
 * @throws StaleTokenError when a newer token was seen before
 */
export const claimFence = (store: Store, token: number, holder: string): Promise<void> =>
  insertBehindFence(store, { token, holder }, []);
