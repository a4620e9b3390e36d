/** The repository's path, and that of optional sample data next to it. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** The repository. */
export const ROOT = resolve(import.meta.dirname, "../../..");

/** Real data to test against; null when the folder does not exist. */
export const SAMPLES = ((folder) => (existsSync(folder) ? folder : null))(resolve(ROOT, "../shared/data"));
