/** Builds the console: static files that load nothing from elsewhere, need no inline code, and work under any path. */
import { defaultClientConditions, defineConfig } from "vite";

/** A running service, for `npm run dev -w apps/console`. */
const SERVICE = process.env.ASSAY_BASE_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  base: "./",
  resolve: { conditions: ["source", ...defaultClientConditions] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    // What is inlined as `data:` the policy of the page refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
    // One script for the first load: a module that awaits keeps the bundler from joining the small ones by itself.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "index", tags: ["$initial"] }] } } },
  },
  server: {
    proxy: Object.fromEntries(
      ["/v1", "/trpc", "/docs", "/console/", "/openapi.json", "/asyncapi.json"].map((path) => [path, SERVICE]),
    ),
  },
});
