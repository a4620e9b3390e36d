/** Where the repository lies, and the samples that may lie beside it. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** The repository. */
export const ROOT = resolve(import.meta.dirname, "../../..");

/** Real figures to test against; null where the folder is not there. */
export const SAMPLES = ((folder) => (existsSync(folder) ? folder : null))(resolve(ROOT, "../shared/data"));
