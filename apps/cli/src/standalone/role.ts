/** `assay start`: everything in one process, on the embedded engines unless the settings name others. */
import { prepareApi } from "@assay/api";
import { makeDataFolder, type Prepared, type ProcessParts, type Role, requireFreeAddress, type Served } from "@assay/process";
import { openStreams, streamOptions } from "@assay/stream";
import { KNOWN_FEEDS, preparedHistory, prepareWriter } from "@assay/writer";
import { serveCommands } from "../socket/serve.ts";
import { demoKeys } from "./demo-keys.ts";
import { welcome } from "./welcome.ts";

const prepare = async (parts: ProcessParts): Promise<Prepared<Served>> => {
  const { settings, log, clock, random, lifecycle } = parts;
  const { dataDir, databaseUrl, redisUrl, catalog, feeds } = settings;
  const writer = await prepareWriter(parts);
  const { simulated } = writer.sources;
  if (simulated) log.warn({}, "the market is simulated: every price is made up");
  // Checked before generating a history that could not be served.
  await requireFreeAddress(settings.host, settings.port, "PORT");
  await makeDataFolder(dataDir);
  const api = await prepareApi(parts);
  return {
    newDatabase: simulated ? preparedHistory({ seed: settings.simSeed, hours: settings.simHours }, clock()) : undefined,
    start: async (engines) => {
      if (databaseUrl === undefined) lifecycle.add("the commands", await serveCommands({ ...engines, dataDir, clock, log }));
      const { ready } = await writer.start(engines);
      // With embedded engines it is the only possible writer; with shared ones another may lead, and this one stands by.
      if (databaseUrl === undefined || redisUrl === undefined) await ready;
      const keys = feeds.isRehearsal ? await demoKeys(engines.store, dataDir, clock()) : null;
      const { url, address, hasConsole } = await api.start(engines, {
        front: (shared) => openStreams({ ...streamOptions(settings), ...engines, clock, random, log, ...shared }),
      });
      if (!process.stdout.isTTY) return { url, address };
      return { url, address, welcome: `${welcome({ url, hasConsole, simulated: simulated !== null, keys, catalog })}\n` };
    },
  };
};

export const standaloneRole: Role = { name: "standalone", serves: true, knownFeeds: KNOWN_FEEDS, prepare };
