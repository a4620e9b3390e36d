/** The repository's path. */
import { resolve } from "node:path";

/** The repository. */
export const ROOT = resolve(import.meta.dirname, "../../..");
