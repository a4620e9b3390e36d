/** The roles of `deploy/postgres/roles.sql` in a suite's own database, under names of their own. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { ROOT } from "./root.ts";
import type { OwnDatabase } from "./servers.ts";

/** The kinds of process with a role. */
export const ROLES = ["api", "stream", "writer"] as const;
/** A kind of process with a role. */
export type Role = (typeof ROLES)[number];

/** The roles of one database. */
export interface DatabaseRoles {
  /** The database's address as each role. */
  readonly urls: Readonly<Record<Role, string>>;
  /** Applies the file again, as after an upgrade. */
  apply(): Promise<void>;
  /** Removes the roles, which would outlive the database. */
  drop(): Promise<void>;
}

/** Creates the roles; the tables must exist. */
export const createRoles = async ({ sql, url }: OwnDatabase): Promise<DatabaseRoles> => {
  const suffix = randomUUID().slice(0, 8);
  const nameOf = (role: Role): string => `assay_${role}_${suffix}`;
  const text = await readFile(join(ROOT, "deploy/postgres/roles.sql"), "utf8");
  const own = text.replace(/\bassay_(api|stream|writer)\b/g, (_, role: Role) => nameOf(role));
  const password = randomUUID();
  const apply = async (): Promise<void> => {
    // The file is a transaction, which needs a connection of its own.
    const owner = postgres(url, { max: 1, onnotice: () => undefined });
    try {
      await owner.unsafe(own).simple();
      for (const role of ROLES) await owner.unsafe(`alter role ${nameOf(role)} password '${password}'`);
    } finally {
      await owner.end();
    }
  };
  await apply();
  const urlOf = (role: Role): string => {
    const address = new URL(url);
    address.username = nameOf(role);
    address.password = password;
    return address.href;
  };
  return {
    urls: { api: urlOf("api"), stream: urlOf("stream"), writer: urlOf("writer") },
    apply,
    drop: async () => {
      for (const role of ROLES) await sql.unsafe(`drop owned by ${nameOf(role)} cascade; drop role ${nameOf(role)}`).simple();
    },
  };
};
