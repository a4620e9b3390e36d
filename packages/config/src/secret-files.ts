/** Secrets read from files: `NAME_FILE` in place of `NAME`, as container platforms mount them. */
import { readFileSync } from "node:fs";
import { type Environment, SettingError, textOf } from "./variables.ts";

/** Every setting that holds a secret. Each may be given as `NAME_FILE`, the path of a file with its value. */
export const SECRET_VARIABLES = [
  "DATABASE_URL",
  "REDIS_URL",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "BTMC_API_KEY",
] as const;

const faultOf = (name: string, file: string, because: string): SettingError =>
  new SettingError({ variable: `${name}_FILE`, value: file, mayHold: `the path of a file with the value of ${name}`, because });

const readSecret = (env: Environment, name: string, file: string): string => {
  const refuse = (because: string) => faultOf(name, file, because);
  if (textOf(env, name) !== undefined) throw refuse(`${name} is set as well; set one of them`);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : "it cannot be read");
  }
  // Most tools that write such a file end it with a newline.
  const secret = text.replace(/(?:\r?\n)+$/, "");
  if (secret.trim() === "") throw refuse("the file is empty");
  return secret;
};

/**
 * Replaces every `NAME_FILE` of a secret by the `NAME` it stands for.
 * @returns the environment itself when no file is named
 * @throws SettingError when a file cannot be read or is empty, or when both forms of a setting are given
 */
export const withSecretFiles = (env: Environment): Environment => {
  let opened = env;
  for (const name of SECRET_VARIABLES) {
    const file = textOf(env, `${name}_FILE`);
    if (file !== undefined) opened = { ...opened, [name]: readSecret(env, name, file), [`${name}_FILE`]: undefined };
  }
  return opened;
};

/**
 * What is said of a setting whose value came from a file: the path, and nothing of the content, which may be any file's.
 * @param env as given, before its files were read
 */
export const withoutContent = (env: Environment, error: unknown): unknown => {
  const name = SECRET_VARIABLES.find((each) => error instanceof SettingError && error.variable === each);
  const file = name && textOf(env, `${name}_FILE`);
  if (!file || !(error instanceof SettingError)) return error;
  return faultOf(name, file, `it does not hold ${error.mayHold}`);
};
