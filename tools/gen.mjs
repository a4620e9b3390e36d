/** `npm run gen`: writes everything that follows from something else: documents and error pages from the contract, the map from the files. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "./build.mjs";
import { drawMap, MAP_PATH, mapFaults } from "./verify/map.mjs";
import { ROOT } from "./workspaces.mjs";

if (!(await build("apps/api"))) process.exit(1);
const { status } = spawnSync(process.execPath, [join(ROOT, "apps/api/dist/gen.js")], { stdio: "inherit" });
if (status !== 0) process.exit(1);

const { text } = drawMap();
const path = join(ROOT, MAP_PATH);
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, text);
for (const fault of mapFaults()) process.stderr.write(`${fault}\n`);
