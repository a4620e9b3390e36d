/** The log: JSON lines on stderr, without secrets. */
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from "pino";
import { redactLine } from "./redact.ts";
import type { LogLevel } from "./settings.ts";

/** What a logger is made with. */
export interface LoggerOptions {
  readonly level: LogLevel;
  /** Which process it is, in each line: api, stream, writer, standalone. */
  readonly name: string;
  /** Where lines go; by default stderr, written at once, so that none is lost with the process. */
  readonly stream?: DestinationStream;
}

/**
 * Opens the log. Authorization and X-API-Key headers, keys, `plaintext` fields and passwords in URLs are hidden
 * wherever they stand: in a field at any depth, in a message, in an error.
 */
export const createLogger = ({ level, name, stream }: LoggerOptions): Logger =>
  pino(
    {
      level,
      base: { name, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redactLine },
    },
    stream ?? destination({ dest: 2, sync: true }),
  );
