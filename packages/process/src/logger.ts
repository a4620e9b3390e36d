/** The log: JSON lines on stderr, without secrets. */
import type { LogLevel } from "@assay/config";
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from "pino";
import { redactLine } from "./redact-line.ts";

/** Options of a logger. */
export interface LoggerOptions {
  readonly level: LogLevel;
  /** The process, in each line: api, stream, writer, standalone. */
  readonly name: string;
  /** Where lines go; by default stderr, written synchronously, so that no line is lost when the process exits. */
  readonly stream?: DestinationStream;
}

/**
 * Opens the log. Authorization and X-API-Key headers, keys, `plaintext` fields and passwords in URLs are hidden in fields at
 * any depth, in messages and in errors.
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
