/** One variable of the environment: its text, how a schema reads it, and the error that says what is wrong with it in one line. */

import type { z } from "zod";
import { redactText, redactValue } from "./redact.ts";

/** Longer values are cut in the message. */
const SHOWN_CHARACTERS = 200;

const shown = (value: string): string => {
  const text = redactValue(value);
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
};

export interface SettingFault {
  readonly variable: string;
  /** The value as given, with secrets hidden. */
  readonly value: string;
  readonly mayHold: string;
  /** What exactly is wrong, when `mayHold` does not say it. */
  readonly because?: string;
}

/** An invalid setting. The message is one line with the variable's name, its value and what is expected. */
export class SettingError extends Error {
  override readonly name = "SettingError";
  readonly variable: string;
  readonly mayHold: string;

  constructor({ variable, value, mayHold, because }: SettingFault) {
    const reason = because === undefined ? "" : ` (${redactText(because)})`;
    const given = value === "" ? "not set" : shown(value);
    super(`${variable} is ${given}${reason}; expected ${mayHold}`.replace(/\s+/g, " "));
    this.variable = variable;
    this.mayHold = mayHold;
  }
}

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
