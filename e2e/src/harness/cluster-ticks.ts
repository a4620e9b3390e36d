/** The ticks of a cluster, as published and as stored, and the invariants of both. */
import { INSTRUMENTS, type Instrument } from "@assay/pricing";
import { expect } from "vitest";
import type { OwnDatabase, OwnRedis } from "./servers.ts";

/** What ticks are read from. */
interface Engines {
  readonly redis: Pick<OwnRedis, "events">;
  readonly database: Pick<OwnDatabase, "sql">;
}

/** A stored tick. */
export interface StoredTick {
  readonly instrument: string;
  readonly seq: number;
  readonly computedAtMs: number;
  readonly price: string;
}

/** A published tick, with the token of its writer. */
export interface ToldTick extends StoredTick {
  readonly token: number;
}

/** Every published tick, in bus order. */
export const toldTicks = async (cluster: Engines): Promise<ToldTick[]> =>
  (await cluster.redis.events()).flatMap(({ kind, token, ticks }) =>
    kind === "moment" ? (ticks as StoredTick[]).map((tick) => ({ ...tick, token: Number(token) })) : [],
  ); // events in our own format

const storedTicks = (cluster: Engines): Promise<StoredTick[]> =>
  cluster.database.sql<StoredTick[]>`
    select instrument, seq::int as seq, (extract(epoch from computed_at) * 1000)::float8 as "computedAtMs", payload->>'price' as price
    from ticks order by instrument, seq`;

const isAscending = (values: readonly number[]): boolean => values.every((value, index) => value >= (values[index - 1] ?? value));

const sayOf = ({ computedAtMs, price }: StoredTick): string => `${computedAtMs} ${price}`;

/**
 * No number is used twice or skipped, and an older writer never publishes after a newer one. A writer killed between storing and
 * publishing leaves an unpublished tick; one whose answer from Redis was lost publishes the same tick again.
 * @param instruments those that have prices
 * @returns the stored ticks
 */
export const holdNumbers = async (
  cluster: Engines,
  instruments: readonly Instrument[] = INSTRUMENTS,
): Promise<readonly StoredTick[]> => {
  const allTold = await toldTicks(cluster);
  const allStored = await storedTicks(cluster);
  for (const instrument of instruments) {
    const kept = allStored.filter((tick) => tick.instrument === instrument);
    const first = kept[0]?.seq ?? 0;
    expect(kept.length, instrument).toBeGreaterThan(0);
    expect(
      kept.flatMap(({ seq }, index) => (seq === first + index ? [] : [seq])),
      `${instrument}: stored without a gap`,
    ).toEqual([]);
    expect(isAscending(kept.map(({ computedAtMs }) => computedAtMs)), `${instrument}: stored in time order`).toBe(true);

    const heard = allTold.filter((tick) => tick.instrument === instrument);
    expect(isAscending(heard.map(({ seq }) => seq)), `${instrument}: told in order`).toBe(true);
    expect(isAscending(heard.map(({ token }) => token)), `${instrument}: no older writer after a newer one`).toBe(true);
    const bySeq = new Map(kept.map((tick) => [tick.seq, sayOf(tick)]));
    expect(
      heard.filter((tick) => bySeq.get(tick.seq) !== sayOf(tick)),
      `${instrument}: what is told is what is stored`,
    ).toEqual([]);
  }
  return allStored;
};

/** The same of a market that changes every second, and it has no hole. */
export const holdTicks = async (cluster: Engines): Promise<void> => {
  const allStored = await holdNumbers(cluster);
  const gold = allStored.filter(({ instrument }) => instrument === "XAU-USD-SPOT").map(({ computedAtMs }) => computedAtMs);
  const holes = gold.flatMap((atMs, index) =>
    index === 0 || atMs - (gold[index - 1] ?? 0) === 1_000 ? [] : [new Date(atMs).toISOString()],
  );
  expect(holes, "a tick of gold each second").toEqual([]);
};
