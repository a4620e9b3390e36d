/** Test helpers for other packages' suites to run on every engine. */

export { copyMade } from "./copy-made.ts";
export { emptyTables } from "./empty-tables.ts";
export {
  createTestDatabase,
  openEmbeddedStore,
  openTestStore,
  type TestDatabase,
  type TestEngine,
  testDatabasePrefix,
  testEngines,
  testServerUrl,
} from "./engines.ts";
