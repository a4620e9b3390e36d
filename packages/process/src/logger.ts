/** The log on stderr, without secrets: JSON lines, or text on a terminal. */
import type { LogFormat, LogLevel } from "@assay/config";
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from "pino";
import { logText } from "./log-text.ts";
import { quietOutages } from "./quiet-log.ts";
import { redactLine } from "./redact-line.ts";

/** Options of a logger. */
export interface LoggerOptions {
  readonly level: LogLevel;
  /** The process, in each line: api, stream, writer, standalone. */
  readonly name: string;
  /** Fields of every line, read when it is written. */
  readonly fields?: () => Record<string, string>;
  /** JSON for machines, text for people; by default text if stderr is a terminal. */
  readonly format?: LogFormat | undefined;
  /** Where lines go; by default stderr, written synchronously, so that no line is lost when the process exits. */
  readonly stream?: DestinationStream;
}

/** Writes text instead of JSON, in colour on a terminal that has not asked for none. */
const asText = (stream: DestinationStream): DestinationStream => {
  const isColoured = process.stderr.isTTY === true && !process.env["NO_COLOR"];
  return { write: (line) => stream.write(logText(line, isColoured)) };
};

/**
 * Opens the log. Authorization and X-API-Key headers, keys, `plaintext` fields and passwords in URLs are hidden in fields at
 * any depth, in messages and in errors. What fails because the database or Redis is unavailable is at debug.
 */
export const createLogger = ({ level, name, format, fields, stream }: LoggerOptions): Logger => {
  const lines = stream ?? destination({ dest: 2, sync: true });
  const isText = (format ?? (stream === undefined && process.stderr.isTTY ? "text" : "json")) === "text";
  return pino(
    {
      level,
      base: { name, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      ...(fields ? { mixin: fields } : {}),
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redactLine, logMethod: quietOutages },
    },
    isText ? asText(lines) : lines,
  );
};
