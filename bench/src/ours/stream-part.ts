/** Assay's streams with every check enabled, over in-memory engines; ticks arrive over the bus as from a writer. */
import { overlayCatalog } from "@assay/contract";
import { openStore } from "@assay/db";
import { openMemoryLive, silentLog } from "@assay/live";
import { machineRandom, machineTime } from "@assay/ports";
import type { Instrument, Tick } from "@assay/pricing";
import { listenOn } from "@assay/process";
import { Authenticator, createKey, Limits, openMarket } from "@assay/services";
import { openStreams } from "@assay/stream";
import { broadcasting, type StreamServerReady } from "../streams/broadcaster.ts";

const quietLog = { ...silentLog, warn: console.error, error: console.error };
const STREAMS = 100_000;
/** One publication: four ticks of three symbols. */
const ROUND: readonly Instrument[] = ["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT", "XAU-USD-SPOT"];

/** Starts it. */
export const start = async () => {
  const clock = machineTime;
  const store = await openStore({ temporary: true });
  const live = openMemoryLive({ clock, logger: quietLog });
  const { plaintext: key } = await createKey(
    store,
    { org: "bench", tier: "realtime_pro", name: "bench" },
    clock(),
    machineRandom,
  );
  const tier = { rate_limit_per_minute: 100_000_000, monthly_quota: 2_000_000_000, max_concurrent_streams: STREAMS };
  const catalog = overlayCatalog({ realtime_pro: tier });
  const { market } = await openMarket({ store, live, clock, log: quietLog, marketHours: false });
  const streams = await openStreams({
    store,
    live,
    clock,
    random: machineRandom,
    log: quietLog,
    catalog,
    authenticator: new Authenticator({ store, live, clock, log: quietLog, catalog }),
    limits: new Limits({ live, store, catalog, log: quietLog }),
    trustProxy: [],
    market,
    maxBufferBytes: 1_048_576,
    maxLagMs: 30_000,
    publicUrl: () => "http://127.0.0.1",
  });
  const listening = await listenOn((create, options) => create(options), {
    host: "127.0.0.1",
    port: 0,
    maxPipelined: 32,
    front: streams,
  });
  const seqs = new Map<Instrument, number>();
  const tickOf = (instrument: Instrument): Tick => {
    const seq = (seqs.get(instrument) ?? 100_000) + 1;
    seqs.set(instrument, seq);
    const computedAtMs = clock();
    return {
      instrument,
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
  const run = broadcasting(async (perFlush) => {
    const ticks = ROUND.slice(0, perFlush).map(tickOf);
    await live.bus.publish({ kind: "moment", token: 1, atMs: clock(), ticks, bars: [], fx: [] });
  });
  const ready: StreamServerReady = { port: listening.port, key };
  return { ready, run };
};
