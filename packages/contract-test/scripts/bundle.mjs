/** Bundles the compiled command with this repository's unpublished packages; its npm dependencies stay imports. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { dependencies } = JSON.parse(readFileSync(at("package.json"), "utf8"));

await build({
  input: at("dist/command.js"),
  platform: "node",
  external: Object.keys(dependencies),
  treeshake: { moduleSideEffects: false },
  logLevel: "warn",
  output: { file: at("dist/bundle/command.js"), format: "esm" },
});
