/** `assay start`: everything in one process, on the embedded engines unless the settings name others. */
import { prepareApi } from "@assay/api";
import type { Live } from "@assay/live";
import type { Time } from "@assay/ports";
import { makeDataFolder, type Prepared, type ProcessParts, type Role, type Served } from "@assay/process";
import { openStreams, streamOptions } from "@assay/stream";
import { KNOWN_FEEDS, preparedHistory, prepareWriter } from "@assay/writer";
import { serveCommands } from "../socket/serve.ts";
import { demoKeys } from "./demo-keys.ts";
import { answerWhileStarting } from "./starting.ts";
import { welcome } from "./welcome.ts";

const LOOK_EVERY_MS = 500;

/** Waits for what needs Redis, but not for Redis: everything else is served without it. */
const unlessAway = async (work: Promise<void>, live: Pick<Live, "kind" | "outage">, clock: Time): Promise<void> => {
  if (live.kind === "memory") return work;
  const over = new AbortController();
  const isAway = async (): Promise<void> => {
    while (!over.signal.aborted && live.outage() === null) await clock.sleep(LOOK_EVERY_MS, over.signal);
  };
  await Promise.race([work, isAway()]);
  over.abort();
};

const prepare = async (parts: ProcessParts): Promise<Prepared<Served>> => {
  const { settings, log, clock, random, lifecycle, telemetry } = parts;
  const { dataDir, databaseUrl, redisUrl, catalog, feeds } = settings;
  const writer = await prepareWriter(parts);
  const { simulated } = writer.sources;
  if (simulated) log.warn({}, "the market is simulated: every price is made up");
  // Before generating a history that could not be served. A port of the system's choice is not known to anybody yet.
  const starting = settings.port === 0 ? null : await answerWhileStarting({ ...settings, readiness: telemetry.readiness });
  await makeDataFolder(dataDir);
  const api = await prepareApi(parts);
  return {
    newDatabase: simulated ? preparedHistory({ seed: settings.simSeed, hours: settings.simHours }, clock()) : undefined,
    start: async (engines) => {
      if (databaseUrl === undefined) lifecycle.add("the commands", await serveCommands({ ...engines, dataDir, clock, log }));
      const { ready } = await writer.start(engines);
      // With embedded engines it is the only possible writer; with shared ones another may lead, and this one stands by.
      if (databaseUrl === undefined || redisUrl === undefined) await unlessAway(ready, engines.live, clock);
      const keys = feeds.isRehearsal ? await demoKeys(engines.store, dataDir, clock()) : null;
      const { url, address, hasConsole } = await api.start(engines, {
        front: async (shared) => {
          const streams = await openStreams({ ...streamOptions(settings), ...engines, clock, random, log, ...shared });
          await starting?.close(0);
          return streams;
        },
      });
      if (!process.stdout.isTTY) return { url, address };
      return { url, address, welcome: `${welcome({ url, hasConsole, simulated: simulated !== null, keys, catalog })}\n` };
    },
  };
};

export const standaloneRole: Role = { name: "standalone", serves: true, knownFeeds: KNOWN_FEEDS, prepare };
