/** The order of the house: who may import whom, as architecture has it. */

/** Packages, from the ground up; each may import those before it. */
const PACKAGES = ["contract", "codegen", "pricing", "feeds", "db", "live", "archives", "services", "sdk", "config", "testkit"];

/** Apps, in the order a price meets them. */
const APPS = ["writer", "api", "stream", "standalone"];

/** The app that puts the others together. */
const COMPOSER = "apps/standalone";

/** Whole systems under test: they may import anything but each other. */
const OUTSIDE = new Set(["e2e", "bench"]);

/** Packages that are pure: no files, no network, no process. */
const PURE = new Set(["packages/contract", "packages/pricing"]);

const placeOf = (folder) => PACKAGES.indexOf(folder.slice("packages/".length));
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
  return isPackage(to) || from === COMPOSER;
};

/** Whether a workspace must do without Node's own modules. */
export const isPure = (folder) => PURE.has(folder);

/** Whether a workspace has its place in the house. */
export const hasPlace = (folder) => !isPackage(folder) || placeOf(folder) !== -1;

/** Workspaces from the ground up. */
export const inHouseOrder = (workspaces) => {
  const order = [...PACKAGES.map((name) => `packages/${name}`), ...APPS.map((name) => `apps/${name}`), ...OUTSIDE];
  const place = ({ folder }) => (order.includes(folder) ? order.indexOf(folder) : order.length);
  return [...workspaces].sort((left, right) => place(left) - place(right));
};
