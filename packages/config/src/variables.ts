/** Reads a single environment variable by its schema. */
import type { z } from "zod";
import { SettingError } from "./setting-error.ts";

/** The environment, in the shape of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One setting: how its text is parsed, and its allowed values in words. */
export interface Variable<T> {
  readonly schema: z.ZodType<T, string>;
  readonly mayHold: string;
}

/** The text of a variable; undefined when unset or blank. */
export const textOf = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

/**
 * Reads a variable.
 * @param fallback the value of an unset or blank variable
 * @throws SettingError when the value is invalid
 */
export const readVariable = <T, F>(env: Environment, name: string, { schema, mayHold }: Variable<T>, fallback: F): T | F => {
  const value = textOf(env, name);
  if (value === undefined) return fallback;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const because = read.error.issues.find(({ code }) => code === "custom")?.message;
  throw new SettingError({ variable: name, value, mayHold, ...(because ? { because } : {}) });
};
