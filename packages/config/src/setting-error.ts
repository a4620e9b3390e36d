/** A setting that cannot be used, told in one line, and the end of a process that has one. */
import { redactText, redactValue } from "./redact.ts";

/** Longer values are cut in the message. */
const SHOWN_CHARACTERS = 200;

const shown = (value: string): string => {
  const text = redactValue(value);
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
};

/** What is wrong with a setting. */
export interface SettingFault {
  readonly variable: string;
  /** As it was given; secrets in it are hidden. */
  readonly value: string;
  readonly mayHold: string;
  /** What is wrong in particular, where `mayHold` does not say it. */
  readonly because?: string;
}

/** A wrong setting. The message is one line that names the variable, what it holds and what it may hold. */
export class SettingError extends Error {
  override readonly name = "SettingError";
  readonly variable: string;

  constructor({ variable, value, mayHold, because }: SettingFault) {
    const reason = because === undefined ? "" : ` (${redactText(because)})`;
    super(`${variable} holds ${shown(value)}${reason}; it may hold ${mayHold}`.replace(/\s+/g, " "));
    this.variable = variable;
  }
}

/** Where the line goes and how the process ends. */
export interface Exit {
  readonly write: (line: string) => void;
  readonly end: (code: number) => never;
}

const processExit: Exit = {
  write: (line) => process.stderr.write(line),
  end: (code) => process.exit(code),
};

/**
 * Ends the process with exit 1 and one line on stderr when a setting is wrong; anything else is thrown on.
 * @param error what parsing or applying settings threw
 */
export const exitOnSettingFault = (error: unknown, exit: Exit = processExit): never => {
  if (!(error instanceof SettingError)) throw error;
  exit.write(`${error.message}\n`);
  return exit.end(1);
};

/**
 * Reads settings, or ends the process with exit 1 and one line on stderr.
 * @param read what parses the settings
 */
export const exitOnSettingError = <T>(read: () => T, exit: Exit = processExit): T => {
  try {
    return read();
  } catch (error) {
    return exitOnSettingFault(error, exit);
  }
};
