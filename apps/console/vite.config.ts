/** Builds the console: static files that load nothing from elsewhere, need no inline code, and work under any path. */
import { parse } from "@formatjs/icu-messageformat-parser";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";
import { isWithArguments, type Messages } from "./src/text/message.ts";

/** A running service, for `npm run dev -w apps/console`. */
const SERVICE = process.env.ASSAY_BASE_URL ?? "http://127.0.0.1:8080";

const parsed = (messages: Messages): object =>
  Object.fromEntries(
    Object.entries(messages).map(([name, value]) => {
      if (typeof value === "string") return [name, isWithArguments(value) ? parse(value) : value];
      return [name, parsed(value)];
    }),
  );

/** Parses the messages, so that no page needs to: without the parser the first load is 7 kB smaller. */
const messages: Plugin = {
  name: "messages",
  enforce: "pre",
  transform: (code, id) =>
    /\/src\/text\/\w+\.json(\?|$)/.test(id) ? { code: JSON.stringify(parsed(JSON.parse(code))), map: null } : null,
};
const PARSER = "@formatjs/icu-messageformat-parser";

export default defineConfig({
  base: "./",
  plugins: [messages],
  resolve: {
    conditions: ["source", ...defaultClientConditions],
    alias: { [PARSER]: `${PARSER}/no-parser.js` },
  },
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
