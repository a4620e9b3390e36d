/** The client's logger. Messages never contain a key. */

/** The lowest level that is logged. */
export type LogLevel = "off" | "error" | "warn" | "info" | "debug";

/** A target for messages; the console is one. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const ignore = (): void => {};

/**
 * Creates a logger that passes on messages at a level or above.
 * @param logger where messages go
 * @param level the lowest level that is passed on
 */
export const leveled = (logger: Logger, level: LogLevel): Logger => {
  const levels: readonly LogLevel[] = ["off", "error", "warn", "info", "debug"];
  const reach = levels.indexOf(level);
  const passing = (name: Exclude<LogLevel, "off">): ((message: string) => void) =>
    levels.indexOf(name) <= reach ? (message) => logger[name](message) : ignore;
  return { debug: passing("debug"), info: passing("info"), warn: passing("warn"), error: passing("error") };
};
