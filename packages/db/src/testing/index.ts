/** What other packages' suites need to run on every engine. */
export { emptyTables } from "./empty-tables.ts";
export { createTestDatabase, type TestDatabase, type TestEngine, testEngines, testServerUrl } from "./engines.ts";
