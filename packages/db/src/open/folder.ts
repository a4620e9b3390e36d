/** Where the embedded database is in its folder; apart from the engine, which is slow to load. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

export const databaseFolder = (dataDir: string): string => join(resolve(dataDir), "db");

/** The lock of a folder whose database is open, or is being created. */
export const lockFile = (dataDir: string): string => join(resolve(dataDir), "db.lock");

export const hasDatabase = (dataDir: string): boolean => existsSync(databaseFolder(dataDir));
