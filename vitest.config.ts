/** All suites, from source: workspace packages resolve through their `source` condition. */
import { defineConfig } from "vitest/config";

const conditions = ["source", "module", "node", "import", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["source", "node", "import", "default"] } },
  test: {
    include: ["{packages,apps}/*/src/**/*.test.ts", "{e2e,bench}/src/**/*.test.ts", "tools/**/*.test.mjs"],
    // Generous: two busy cores run a database in WebAssembly beside the suites.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    pool: "forks",
    maxWorkers: 2,
  },
});
