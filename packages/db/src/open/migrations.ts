/** Where the migrations lie: plain SQL in drizzle's journal, beside `src` and `dist` alike. */
import { fileURLToPath } from "node:url";

/** Settings of drizzle's migrators. */
export const MIGRATIONS = { migrationsFolder: fileURLToPath(new URL("../../migrations", import.meta.url)) };
