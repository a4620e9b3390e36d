/** The location of the migrations: plain SQL in drizzle's journal, at the same relative path from `src` and `dist`. */
import { fileURLToPath } from "node:url";

/** Settings of drizzle's migrators. */
export const MIGRATIONS = { migrationsFolder: fileURLToPath(new URL("../../migrations", import.meta.url)) };
