/**
 * Bundles the command into `dist/bundle`: reading one file instead of 1,800 starts it a second and a half sooner, with 30 MB less.
 */
import { fileURLToPath } from "node:url";
import { bundle } from "../../../tools/bundle.mjs";

await bundle("assay", "apps/cli/src/main.ts", fileURLToPath(new URL("../dist/bundle", import.meta.url)));
