/**
 * Assay's API and streams with every check enabled, over in-memory engines and without a writer, whose work would be counted with
 * that of requests; ticks arrive over the bus as from one.
 */
import { tmpdir } from "node:os";
import { startApi } from "@assay/api";
import { openArchives } from "@assay/archives";
import { parseSettings } from "@assay/config";
import { overlayCatalog } from "@assay/contract";
import { openStore, upsertBars } from "@assay/db";
import { openMemoryLive, silentLog } from "@assay/live";
import { machineRandom, machineTime } from "@assay/ports";
import type { Tick } from "@assay/pricing";
import { createKey, newSigningKeys, readSigningKeys } from "@assay/services";
import { simulatedBars } from "@assay/simulator";
import { openStreams, streamOptions } from "@assay/stream";
import { broadcasting } from "./broadcast.ts";
import { serve } from "./child.ts";

/** Its settings. */
export interface AssaySettings {
  /** Daily bars, and a tick every second; without it there are only the ticks that are ordered. */
  readonly hasMarket: boolean;
}

/** What it says once it serves. */
export interface AssayReady {
  readonly url: string;
  readonly port: number;
  /** Its limits are never reached; every request is still counted. */
  readonly key: string;
}

const TIER = "realtime_pro";
const LIMITS = { rate_limit_per_minute: 100_000_000, monthly_quota: 2_000_000_000, max_concurrent_streams: 100_000 };
const log = { ...silentLog, warn: console.error, error: console.error };
const TICK_MS = 1_000;

let seq = 100_000;

const nextTick = (computedAtMs: number): Tick => {
  seq += 1;
  return {
    instrument: "XAU-USD-SPOT",
    price: "4003.20",
    conf: "0.20",
    basis: "primary",
    sources: [],
    divergenceBps: null,
    computedAtMs,
    freshUntilMs: computedAtMs + 60_000,
    seq,
  };
};

serve(async ({ hasMarket }: AssaySettings) => {
  const clock = machineTime;
  const store = await openStore({ temporary: true });
  const live = openMemoryLive({ clock, logger: log });
  const archives = openArchives({ kind: "file", directory: tmpdir() });
  const { plaintext: key } = await createKey(store, { org: "bench", tier: TIER, name: "bench" }, clock(), machineRandom);
  const publish = (): Promise<void> =>
    live.bus.publish({ kind: "moment", token: 1, atMs: clock(), ticks: [nextTick(clock())], bars: [], fx: [] });
  if (hasMarket) {
    await upsertBars(store, [...simulatedBars("XAU-USD-SPOT", "1d", Date.UTC(1996, 0, 1), Date.UTC(2026, 10, 1), 1)]);
    setInterval(publish, TICK_MS);
  }
  const settings = { ...parseSettings({ PORT: "0" }), catalog: overlayCatalog({ [TIER]: LIMITS }) };
  const parts = { store, live, archives, clock, random: machineRandom, log };
  const signingKeys = newSigningKeys().then(readSigningKeys);
  const { url } = await startApi({
    ...settings,
    ...parts,
    signingKeys: { current: () => signingKeys },
    front: (shared) => openStreams({ ...streamOptions(settings), ...parts, ...shared }),
  });
  if (hasMarket) await publish();
  const ready: AssayReady = { url, port: Number(new URL(url).port), key };
  return { ready, answer: broadcasting(publish) };
});
