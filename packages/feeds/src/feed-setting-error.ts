/** A setting of the feeds that cannot be used. */

/** Its message names the variable, and never repeats what may be secret. */
export class FeedSettingError extends Error {
  readonly variable: string;

  constructor(variable: string, message: string) {
    super(`${variable} ${message}`);
    this.name = "FeedSettingError";
    this.variable = variable;
  }
}
