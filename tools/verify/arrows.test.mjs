/** The order of the house. */
import { describe, expect, test } from "vitest";
import { arrowFaults } from "./arrows.mjs";
import { layOut } from "./scratch.mjs";

const workspace = (name, more = {}) => ({ name: `@assay/${name}`, ...more });
const needs = (...names) => ({ dependencies: Object.fromEntries(names.map((name) => [name, "1.0.0"])) });

const house = (files) =>
  layOut({
    "package.json": { devDependencies: { vitest: "1.0.0" } },
    "packages/contract/package.json": workspace("contract", needs("zod")),
    "packages/pricing/package.json": workspace("pricing", needs("@assay/contract")),
    "packages/db/package.json": workspace("db", needs("@assay/pricing", "@assay/contract", "@assay/live")),
    "packages/live/package.json": workspace("live", { devDependencies: { redis: "1.0.0" } }),
    "apps/api/package.json": workspace("api", needs("@assay/db", "@assay/writer")),
    "apps/writer/package.json": workspace("writer"),
    "apps/cli/package.json": workspace("cli", needs("@assay/api", "@assay/e2e")),
    "e2e/package.json": workspace("e2e", needs("@assay/api")),
    ...files,
  });

describe("import arrows", () => {
  test("let a workspace import those above it, what it declares, and its own files", () => {
    const root = house({
      "packages/contract/src/index.ts": 'import { z } from "zod";\nexport * from "./values.ts";',
      "packages/pricing/src/index.ts": 'import type { Metal } from "@assay/contract";\nexport type M = Metal;',
      "packages/db/src/open.ts": 'import { readFile } from "node:fs/promises";\nexport { a } from "@assay/pricing/sub";',
      "apps/cli/src/main.ts": 'await import("@assay/api");',
      "e2e/src/serve.test.ts": 'import { test } from "vitest";\nimport "@assay/api";',
    });
    expect(arrowFaults(root)).toEqual([]);
  });

  test("refuse a package that is further down, however it is imported", () => {
    const backward = ["import type { L } from", "export * from", "export { L } from", "await import("];
    for (const words of backward) {
      const code = `${words} "@assay/live"${words.endsWith("(") ? ")" : ""};`;
      expect(arrowFaults(house({ "packages/db/src/open.ts": code })), code).toEqual([
        "packages/db/src/open.ts imports @assay/live: the arrow from packages/db to packages/live points backward",
      ]);
    }
  });

  test("refuse one app in another, except for the app that composes them", () => {
    const [fault] = arrowFaults(house({ "apps/api/src/app.ts": 'import "@assay/writer";' }));
    expect(fault).toContain("from apps/api to apps/writer points backward");
  });

  test("refuse the systems under test everywhere", () => {
    const [fault] = arrowFaults(house({ "apps/cli/src/main.ts": 'import "@assay/e2e";' }));
    expect(fault).toContain("points backward");
  });

  test("refuse what the workspace does not declare", () => {
    expect(arrowFaults(house({ "packages/pricing/src/a.ts": 'import pino from "pino";' }))).toEqual([
      "packages/pricing/src/a.ts imports pino, which packages/pricing/package.json does not declare",
    ]);
  });

  test("leave development dependencies to tests and to folders that are not compiled", () => {
    const root = house({
      "packages/live/tsconfig.json": { exclude: ["src/**/*.test.ts", "src/suite"] },
      "packages/live/src/lease.test.ts": 'import "redis";\nimport "vitest";',
      "packages/live/src/suite/lease.ts": 'import "redis";\nimport "vitest";',
      "packages/live/src/lease.ts": 'import "redis";\nimport "vitest";',
    });
    expect(arrowFaults(root)).toEqual([
      "packages/live/src/lease.ts imports redis, which packages/live/package.json does not declare",
      "packages/live/src/lease.ts imports vitest, which packages/live/package.json does not declare",
    ]);
  });

  test("let a published package bundle workspaces, which it declares for development; others depend on them", () => {
    const code = 'import "@assay/contract";';
    const bundling = (more) => ({ ...workspace("live", more), devDependencies: { "@assay/contract": "1.0.0" } });
    const at = (more) => house({ "packages/live/package.json": bundling(more), "packages/live/src/a.ts": code });
    expect(arrowFaults(at({}))).toEqual([]);
    expect(arrowFaults(at({ private: true }))).toEqual([
      "packages/live/src/a.ts imports @assay/contract, which packages/live/package.json does not declare",
    ]);
  });

  test("refuse a relative path that leaves the workspace", () => {
    const [fault] = arrowFaults(house({ "packages/db/src/read/a.ts": 'import "../../../contract/src/index.ts";' }));
    expect(fault).toContain("lies outside of packages/db");
  });

  test("keep Node out of pure packages, but not out of their tests", () => {
    const code = 'import "node:fs";';
    const root = house({
      "packages/pricing/src/a.ts": code,
      "packages/pricing/src/a.test.ts": code,
      "packages/live/src/a.ts": code,
    });
    expect(arrowFaults(root)).toEqual(["packages/pricing/src/a.ts imports node:fs, but packages/pricing is pure"]);
  });

  test("keep the simulated market out of everything real except the folder that runs it", () => {
    const code = 'import "@assay/simulator";';
    const root = house({
      "packages/simulator/package.json": workspace("simulator"),
      "packages/feeds/package.json": workspace("feeds", needs("@assay/simulator")),
      "apps/writer/package.json": workspace("writer", needs("@assay/simulator")),
      "packages/feeds/src/catalog.ts": code,
      "packages/feeds/src/catalog.test.ts": code,
      "apps/writer/src/sources.ts": code,
      "apps/writer/src/simulated/market.ts": code,
      "bench/package.json": workspace("bench", needs("@assay/simulator")),
      "bench/src/compose.ts": code,
    });
    expect(arrowFaults(root)).toEqual([
      "packages/feeds/src/catalog.ts imports @assay/simulator: nothing real imports packages/simulator",
      "apps/writer/src/sources.ts imports @assay/simulator: nothing real imports packages/simulator",
    ]);
  });

  test("refuse a package without a place in the house", () => {
    expect(arrowFaults(house({ "packages/helpers/package.json": workspace("helpers") }))).toEqual([
      "packages/helpers has no place in tools/verify/house.mjs",
    ]);
  });

  test("see no import in comments and strings", () => {
    const code = '// import "pino";\nexport const text = `import "pino"`;\n/* export * from "pino"; */';
    expect(arrowFaults(house({ "packages/db/src/a.ts": code }))).toEqual([]);
  });
});
