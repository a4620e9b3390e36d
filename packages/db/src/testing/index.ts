/** Test helpers for other packages' suites to run on every engine. */

export * from "./alert-rows.ts";
export { copyMade } from "./copy-made.ts";
export {
  createTestDatabase,
  emptyTables,
  openEmbeddedStore,
  openTestStore,
  type TestDatabase,
  type TestEngine,
  testEngines,
  testServerUrl,
} from "./engines.ts";
