/** All suites, from source: workspace packages resolve through their `source` condition. */
import { defineConfig } from "vitest/config";

const conditions = ["source", "module", "node", "import", "default"];

// `--mode long` runs the suites named `*.long.test.ts` alone; otherwise they are left out.
export default defineConfig(({ mode }) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["source", "node", "import", "default"] } },
  test: {
    include:
      mode === "long"
        ? ["{packages,apps,e2e,bench}/**/src/**/*.long.test.ts"]
        : ["{packages,apps}/*/src/**/*.test.ts", "{e2e,bench}/src/**/*.test.ts", "tools/**/*.test.mjs"],
    exclude: ["**/node_modules/**", ...(mode === "long" ? [] : ["**/*.long.test.ts"])],
    // Generous: two busy cores run a database in WebAssembly beside the suites.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    pool: "forks",
    maxWorkers: 2,
  },
}));
