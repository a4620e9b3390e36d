/** An invalid setting, reported in one line. */
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

  constructor({ variable, value, mayHold, because }: SettingFault) {
    const reason = because === undefined ? "" : ` (${redactText(because)})`;
    const given = value === "" ? "not set" : shown(value);
    super(`${variable} is ${given}${reason}; expected ${mayHold}`.replace(/\s+/g, " "));
    this.variable = variable;
  }
}
