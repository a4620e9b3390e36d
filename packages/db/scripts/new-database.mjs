/** Makes `dist/new-database`, which every first start copies: PostgreSQL's own tables and ours, without a row. */
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore } from "../src/index.ts";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const made = join(dist, "new-database");
await rm(made, { recursive: true, force: true });
const dataDir = await mkdtemp(join(dist, "making-"));
try {
  const store = await openStore({ dataDir });
  // Nobody creates a database in here: without its templates it has a third of the files.
  await store.run((db) => db.execute("update pg_database set datistemplate = false where datname like 'template_'"));
  for (const name of ["template0", "template1"]) await store.run((db) => db.execute(`drop database ${name}`));
  await store.close();
  await rename(join(dataDir, "db"), made);
} finally {
  await rm(dataDir, { recursive: true });
}
