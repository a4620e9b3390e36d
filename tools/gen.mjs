/** `npm run gen`: writes everything derived from the contract: documents, error pages and the SDK's generated files. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build } from "./build.mjs";
import { ROOT } from "./workspaces.mjs";

if (!(await build("packages/codegen"))) process.exit(1);
const { status } = spawnSync(process.execPath, [join(ROOT, "packages/codegen/dist/gen.js")], {
  stdio: "inherit",
  // What is kept describes the built-in catalogue.
  env: { ...process.env, CATALOG: "" },
});
process.exitCode = status ?? 1;
