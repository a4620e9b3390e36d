/** The order of the house: which workspace may import which. */

/** Packages, bottom up; each may import those before it. */
const PACKAGES = [
  "ports",
  "catalogue",
  "contract",
  "codegen",
  "pricing",
  "simulator",
  "feeds",
  "db",
  "live",
  "archives",
  "services",
  "sdk",
  "config",
  "process",
  "contract-test",
  "testkit",
];

/** Apps, in the order of the data flow. */
const APPS = ["writer", "api", "console", "stream", "cli"];

/** The app that combines others. */
const COMPOSER = "apps/cli";

/** Suites of the whole system: they may import anything but each other. */
const OUTSIDE = new Set(["e2e", "bench", "world"]);

/** Pure packages: no files, no network, no process. */
const PURE = new Set(["packages/catalogue", "packages/contract", "packages/pricing", "packages/simulator"]);

/** The simulated market: real code imports it only in the writer's `simulated` folder. */
const SIMULATOR = "packages/simulator";

/** Where it may be imported besides tests: the writer's folder for it, test suites and benchmarks. */
const SIMULATOR_IMPORTERS = ["apps/writer/src/simulated/", "packages/testkit/", "bench/", "e2e/"];

const placeOf = (folder) => PACKAGES.indexOf(folder.slice("packages/".length));
const appPlaceOf = (folder) => APPS.indexOf(folder.slice("apps/".length));
const isPackage = (folder) => folder.startsWith("packages/");

/**
 * Whether one workspace may import another.
 * @param from folder of the importing workspace
 * @param to folder of the imported one
 */
export const mayImport = (from, to) => {
  if (OUTSIDE.has(to)) return false;
  if (OUTSIDE.has(from)) return true;
  if (isPackage(from)) return isPackage(to) && placeOf(to) !== -1 && placeOf(to) < placeOf(from);
  return isPackage(to) || (from === COMPOSER && appPlaceOf(to) < appPlaceOf(from));
};

/**
 * Whether one file may import a workspace, as far as the simulated market is kept apart from real code.
 * @param path the importing file
 * @param to folder of the imported workspace
 * @param forTests whether the file is compiled for tests only
 */
export const mayFileImport = (path, to, forTests) =>
  to !== SIMULATOR || forTests || SIMULATOR_IMPORTERS.some((folder) => path.startsWith(folder));

/** Whether a workspace must not use Node's built-in modules. */
export const isPure = (folder) => PURE.has(folder);

/** Whether a workspace is listed in the house. */
export const hasPlace = (folder) => !isPackage(folder) || placeOf(folder) !== -1;
