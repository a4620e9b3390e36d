/** Makes `dist/new-database`, which every first start copies: PostgreSQL's own tables and ours, without a row. */
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore } from "../dist/index.js";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const made = join(dist, "new-database");
await rm(made, { recursive: true, force: true });
const dataDir = await mkdtemp(join(dist, "making-"));
try {
  const store = await openStore({ dataDir });
  await store.close();
  await rename(join(dataDir, "db"), made);
} finally {
  await rm(dataDir, { recursive: true });
}
