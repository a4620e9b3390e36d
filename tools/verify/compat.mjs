/** Checks that nothing breaks callers of the last release, and that only the changelog renews what that release was. */
import { asyncApiSurface } from "../release/asyncapi-surface.mjs";
import { breaksOf } from "../release/compare.mjs";
import { openApiSurface } from "../release/openapi-surface.mjs";
import { currentDocuments, namedLine, storedDocuments, storedLine } from "../release/snapshot.mjs";
import { ROOT } from "../workspaces.mjs";

const SURFACES = { "openapi.json": openApiSurface, "asyncapi.json": asyncApiSurface };

const renewalFaults = (root) => {
  const [stored, named] = [storedLine(root), namedLine(root)];
  if (stored === named) return [];
  return [`CHANGELOG.md names another snapshot than released/ holds: "${named ?? "none"}", expected "${stored}"`];
};

/** What breaks in both documents, and a snapshot that was renewed without a line in the changelog. */
export const compatFaults = (root = ROOT) => {
  const [before, after] = [storedDocuments(root), currentDocuments(root)];
  return [
    ...Object.entries(SURFACES).flatMap(([name, surface]) => breaksOf(surface(before[name]), surface(after[name]))),
    ...renewalFaults(root),
  ];
};
