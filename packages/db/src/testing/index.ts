/** Test helpers for other packages' suites to run on every engine. */
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
export { copyMade, copyMadeDatabase } from "./made-database.ts";
