/** Reads one variable of the environment after the other by its schema. */
import type { z } from "zod";
import { SettingError } from "./setting-error.ts";

/** The environment, as `process.env` has it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One setting: how its text is read, and what it may hold, in words. */
export interface Variable<T> {
  readonly schema: z.ZodType<T, string>;
  readonly mayHold: string;
}

/** The text of a variable; nothing when it is unset or blank. */
export const textOf = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

/**
 * Reads a variable.
 * @param fallback what an unset or blank variable means
 * @throws SettingError when it holds something else
 */
export const readVariable = <T, F>(env: Environment, name: string, { schema, mayHold }: Variable<T>, fallback: F): T | F => {
  const value = textOf(env, name);
  if (value === undefined) return fallback;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const because = read.error.issues.find(({ code }) => code === "custom")?.message;
  throw new SettingError({ variable: name, value, mayHold, ...(because ? { because } : {}) });
};
