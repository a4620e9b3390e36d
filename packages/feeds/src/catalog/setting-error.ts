/** An invalid feed setting. */

/** The message names the variable, and never repeats a value that may be secret. */
export class FeedSettingError extends Error {
  readonly variable: string;

  constructor(variable: string, message: string) {
    super(`${variable} ${message}`);
    this.name = "FeedSettingError";
    this.variable = variable;
  }
}
