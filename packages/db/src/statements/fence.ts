/**
 * The fence that stops an old writer. A write and its check are one statement: there is no moment between them, no transaction a
 * frozen writer could leave open, and none that a lost connection could split.
 */
import { type SQL, sql } from "drizzle-orm";
import { BarsRevisedError, StaleTokenError } from "../errors.ts";
import { formatInstant } from "../schema/columns.ts";
import { type RevisionReason, writerFence } from "../schema/records.ts";
import { type ImportOrigin, rowsOf, type Store } from "../store.ts";

/** The highest token the store has seen: the floor of the next lease. Zero before the first writer. */
export const readFenceToken = (store: Store): Promise<number> =>
  store.run(async (db) => {
    const [row] = await db.select({ token: writerFence.token }).from(writerFence);
    return row?.token ?? 0;
  });

/** The revision of running bars; read it before the bars that a write is computed from. */
export const readBarsRevision = (store: Store): Promise<number> =>
  store.run(async (db) => {
    const [row] = await db.select({ revision: writerFence.barsRevision }).from(writerFence);
    return row?.revision ?? 0;
  });

/** Who writes, under which token. A lease token can be used. */
export interface WriterToken {
  readonly token: number;
  readonly holder: string;
}

export interface FencedOptions {
  readonly timeoutMs?: number;
  /** Does not wait for the disk: the next statement that does makes this one durable as well. */
  readonly isFollowed?: boolean;
  /** Increments the revision of bars. With a number, the write is refused unless that is still the revision. */
  readonly revises?: number | true;
  /** Takes a revision of the ledger, for rows that callers may see later as they stood now: closed bars and settlements. */
  readonly records?: RevisionReason | undefined;
}

/** Whether a writer passes: not when a newer token, or the same token of another holder, was seen before. */
const mayPass = ({ token, holder }: WriterToken) =>
  sql`(token < ${token}::text::bigint or (token = ${token}::text::bigint and holder = ${holder}))`;

const enter = ({ token, holder }: WriterToken, atMs: number) => sql`
  token = ${token}::text::bigint,
  holder = ${holder},
  since = case when token < ${token}::text::bigint then ${formatInstant(atMs)}::text::timestamptz else since end`;

/** The row stays locked until the commit, so that numbers rise in the order of commits. */
const recorded = (reason: RevisionReason, atMs: number) => sql`
  ledger_revision = ledger_revision + 1,
  ledger_at = greatest(ledger_at, ${formatInstant(atMs)}::text::timestamptz),
  ledger_reason = ${reason},
  ledger_xact = pg_current_xact_id()::text::bigint`;

const noted = ({ source, note }: ImportOrigin) => sql`
  ledger_source = ${source}, ledger_note = ${note}::text, ledger_noted = ledger_revision + 1`;

/** One row when the write may happen, none when not, with the write's revision. Locks the fence's row if it changes it. */
const fenceOf = (writer: WriterToken | undefined, { revises, records }: FencedOptions, { now, importing }: Store): SQL => {
  const revision = records === undefined ? sql`0::bigint` : sql`ledger_revision`;
  if (!writer && revises === undefined && records === undefined) return sql`select 1 as passed, ${revision} as revision`;
  const changes = [
    ...(writer ? [enter(writer, now())] : []),
    ...(revises === undefined ? [] : [sql`bars_revision = bars_revision + 1`]),
    ...(records === undefined ? [] : [recorded(records, now())]),
    ...(records === "import" && importing ? [noted(importing)] : []),
  ];
  const conditions = [
    ...(writer ? [mayPass(writer)] : []),
    ...(typeof revises === "number" ? [sql`bars_revision = ${String(revises)}::text::bigint`] : []),
  ];
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  return sql`update writer_fence set ${sql.join(changes, sql`, `)} ${where} returning 1 as passed, ${revision} as revision`;
};

/**
 * Runs inserts behind the fence, all or none, in one statement. The fence's row stays locked until it ends, so no newer writer
 * can interleave.
 * @param writer when omitted, the fence is not checked
 * @param inserts each reads from `fence`, which has one row when they may happen and none when not
 * @returns the revision of the ledger it took; 0 for none
 * @throws StaleTokenError when the writer is refused; nothing is stored
 * @throws BarsRevisedError when the revision of bars has changed; nothing is stored
 */
export const insertBehindFence = async (
  store: Store,
  writer: WriterToken | undefined,
  inserts: readonly SQL[],
  options: FencedOptions = {},
): Promise<number> => {
  const { timeoutMs, isFollowed = false, revises } = options;
  // Read last, so that what is recorded is no earlier than need be.
  const fence = fenceOf(writer, options, store);
  const steps = inserts.map((insert, index) => sql`, ${sql.raw(`step_${index}`)} as (${insert})`);
  const commit = isFollowed ? sql`, set_config('synchronous_commit', 'off', true)` : sql``;
  const statement = sql`with fence as (${fence}) ${sql.join(steps)} select revision::float8 as revision ${commit} from fence`;
  const [passed] = await store.run((db) => rowsOf<{ revision: number }>(db, statement, "prepared"), timeoutMs);
  if (passed) return passed.revision;
  if (typeof revises === "number" && (!writer || (await readFenceToken(store)) <= writer.token))
    throw new BarsRevisedError(revises);
  if (writer) throw new StaleTokenError(writer.token);
  return 0;
};

/**
 * Raises the fence at a takeover, before the first write: from then on the former holder is refused.
 * @throws StaleTokenError when a newer token was seen before
 */
export const claimFence = async (store: Store, token: number, holder: string): Promise<void> => {
  await insertBehindFence(store, { token, holder }, []);
};
