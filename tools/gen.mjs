/** `npm run gen`: writes everything derived from the contract: documents, error pages and the SDK's generated files. */
import { join } from "node:path";
import { runScript } from "./bundle.mjs";
import { ROOT } from "./workspaces.mjs";

// What is kept describes the built-in catalogue.
process.env.CATALOG = "";
// From source: while the contract and what is generated from it differ, the rest does not compile.
await runScript(join(ROOT, "packages/codegen/src/gen.ts"));
