/** Metadata of a group of tests. */
import "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Why its tests are skipped; `npm test` groups its count by this. */
    needs?: string;
  }
}
