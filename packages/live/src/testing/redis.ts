/** The Redis that suites may use, and the keys each leaves in it. */
import { randomUUID } from "node:crypto";
import { createClient } from "@redis/client";

/** The Redis the suites may use. */
export const TEST_REDIS_URL = process.env.TEST_REDIS_URL || undefined;

/** A prefix unique to this run. */
export const randomPrefix = (): string => `assay-test:${randomUUID()}:`;

/** Every key under a prefix. */
export const keysUnder = async (url: string, prefix: string): Promise<string[]> => {
  const admin = await createClient({ url }).connect();
  const found: string[] = [];
  for await (const keys of admin.scanIterator({ MATCH: `${prefix}*`, COUNT: 1_000 })) found.push(...keys);
  await admin.close();
  return found;
};

/** Deletes every key under a prefix. */
export const deleteKeys = async (url: string, prefix: string): Promise<void> => {
  const keys = await keysUnder(url, prefix);
  const admin = await createClient({ url }).connect();
  if (keys.length > 0) await admin.del(keys);
  await admin.close();
};
