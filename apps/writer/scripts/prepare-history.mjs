/** Makes `dist/prepared-history`: the history of the default simulated market, which its first start copies. */
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSettings } from "@assay/config";
import { openStore } from "@assay/db";
import { prepareHistory } from "../src/simulated/prepared-history.ts";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const made = join(dist, "prepared-history");
await rm(made, { recursive: true, force: true });
const dataDir = await mkdtemp(join(dist, "preparing-"));
try {
  const { simSeed: seed, simHours: hours } = parseSettings({});
  const store = await openStore({ dataDir });
  const run = (statement) => store.run((db) => db.execute(statement));
  // Who copies this needs no files of the log to reuse.
  await run("set wal_recycle = off");
  const market = await prepareHistory(store, { seed, hours }, Date.now());
  await run("vacuum (freeze) bars, settlements, fx_tables");
  await run("checkpoint");
  await store.close();
  await mkdir(join(dataDir, "made"));
  await rename(join(dataDir, "db"), join(dataDir, "made", "database"));
  await writeFile(join(dataDir, "made", "market.json"), JSON.stringify(market));
  await rename(join(dataDir, "made"), made);
} finally {
  await rm(dataDir, { recursive: true });
}
