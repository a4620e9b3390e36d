/** The store of a test: keys made in it, moments published through it, and a switch that makes it fail. */
import type { TierName } from "@assay/contract";
import {
  createOrganisation,
  insertKey,
  type Moment,
  type Store,
  StoreUnavailableError,
  schema,
  writeDealerQuotes,
  writeMoment,
  writeSurfaces,
} from "@assay/db";
import type { Live } from "@assay/live";
import { machineRandom } from "@assay/ports";
import type { DealerTick, HorizonSurface } from "@assay/pricing";
import { newKey } from "@assay/services";

export interface TestKey {
  readonly key: string;
  readonly keyId: string;
  readonly keyHash: string;
  readonly orgId: string;
  readonly tier: TierName;
}

/**
 * Mints a key into the store.
 * @param options.org another key of the organisation it should belong to; a new organisation by default
 */
export const makeKey = async (
  store: Store,
  options: {
    readonly tier: TierName;
    readonly nowMs: number;
    readonly org?: TestKey;
    readonly name?: string;
    readonly expiresAtMs?: number;
  },
): Promise<TestKey> => {
  const orgId = options.org?.orgId ?? `org-${machineRandom.uuid()}`;
  const tier = options.org?.tier ?? options.tier;
  if (!options.org) await createOrganisation(store, { id: orgId, name: "Test", tier, createdAtMs: options.nowMs });
  const { plaintext, row } = newKey(
    { orgId, name: options.name ?? "default", expiresAtMs: options.expiresAtMs ?? null },
    options.nowMs,
    machineRandom,
  );
  await insertKey(store, row);
  return { key: plaintext, keyId: row.id, keyHash: row.keyHash, orgId, tier };
};

/**
 * Mints keys of as many new organisations that have been used once, in two statements: the embedded engine takes as long for one
 * row as for many.
 */
export const makeKeys = async (store: Store, tier: TierName, nowMs: number, count: number): Promise<TestKey[]> => {
  const made = Array.from({ length: count }, () => {
    const orgId = `org-${machineRandom.uuid()}`;
    return newKey({ orgId, name: "default", expiresAtMs: null }, nowMs, machineRandom);
  });
  const owners = made.map(({ row }) => ({ id: row.orgId, name: "Test", tier, createdAtMs: nowMs }));
  await store.run(async (db) => {
    await db.insert(schema.organisations).values(owners);
    await db.insert(schema.apiKeys).values(made.map(({ row }) => ({ ...row, lastUsedAtMs: nowMs })));
  });
  return made.map(({ plaintext, row }) => ({ key: plaintext, keyId: row.id, keyHash: row.keyHash, orgId: row.orgId, tier }));
};

const WRITER = { token: 1, holder: "test-writer" };

/**
 * Stores and publishes a moment.
 * @param moment what happened; parts left out are empty
 * @param atMs when, epoch milliseconds
 */
export const publishMoment = async (store: Store, live: Live, moment: Partial<Moment>, atMs: number): Promise<void> => {
  const whole: Moment = { ticks: [], bars: [], fx: [], ...moment };
  const revision = await writeMoment(store, WRITER, whole);
  await live.bus.publish({ kind: "moment", token: WRITER.token, atMs, ...whole, ...(revision === 0 ? {} : { revision }) });
};

/** Stores changes of dealers' quotes and publishes them, as a writer does. */
export const publishDealers = async (store: Store, live: Live, quotes: readonly DealerTick[], atMs: number): Promise<void> => {
  await writeDealerQuotes(store, WRITER, quotes);
  await live.bus.publish({ kind: "dealer-quotes", token: WRITER.token, atMs, quotes });
};

/**
 * Stores surfaces and makes every process load them.
 * @param atMs when, epoch milliseconds
 */
export const publishSurfaces = async (
  store: Store,
  live: Live,
  surfaces: readonly HorizonSurface[],
  atMs: number,
): Promise<void> => {
  await writeSurfaces(store, WRITER, surfaces, atMs);
  for (const metal of new Set(surfaces.map((surface) => surface.metal)))
    await live.bus.publish({ kind: "surfaces-replaced", metal });
};

export interface BreakableStore extends Store {
  /** From now on every query fails. */
  break(): void;
  /** Answers again. */
  recover(): void;
  /** The number of queries received, answered or not. */
  readonly questions: number;
}

/** Wraps a store in a switch. Closing it closes the store. */
export const breakableStore = (store: Store): BreakableStore => {
  let broken = false;
  let questions = 0;
  const guard = <T>(ask: () => Promise<T>): Promise<T> => {
    questions += 1;
    return broken
      ? Promise.reject(new StoreUnavailableError("the database does not answer: ECONNREFUSED", "unreachable"))
      : ask();
  };
  return {
    ...store,
    run: (work, timeoutMs) => guard(() => store.run(work, timeoutMs)),
    readRow: (query) => guard(() => store.readRow(query)),
    ping: (timeoutMs) => guard(() => store.ping(timeoutMs)),
    break: () => {
      broken = true;
    },
    recover: () => {
      broken = false;
    },
    get questions() {
      return questions;
    },
  };
};
