/** The log on stderr, without secrets and with one line for an outage: JSON for machines, text for people at a terminal. */

import { stripVTControlCharacters, styleText } from "node:util";
import { type LogFormat, type LogLevel, redactText } from "@assay/config";
import { isRecord } from "@assay/contract";
import { StoreUnavailableError } from "@assay/db";
import { RedisAwayError } from "@assay/live";
import { type DestinationStream, destination, type LogFn, type Logger, pino, stdTimeFunctions } from "pino";

/** How deep a cause is looked for. */
const MOST_CAUSES = 5;

/** The error of an engine that is unavailable, when that is what an error comes from. */
export const outageOf = (error: unknown): StoreUnavailableError | RedisAwayError | null => {
  let cause = error;
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth += 1) {
    if (cause instanceof StoreUnavailableError || cause instanceof RedisAwayError) return cause;
    cause = cause.cause;
  }
  return null;
};

const INFO = 30;

/**
 * A hook of pino. An outage of the database or of Redis is logged when it begins and when it is over, so what fails because of it
 * meanwhile is at debug.
 */
function quietOutages(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  const [fields] = args as unknown[]; // pino's own types describe the message first
  const isPart =
    level >= INFO && typeof fields === "object" && fields !== null && "err" in fields && outageOf(fields.err) !== null;
  if (isPart) this.debug(...args);
  else method.apply(this, args);
}

const HIDDEN = "***";

const SECRET_NAME = "(?:[a-z0-9_-]{0,40}[_-])?(?:authorization|x-api-key|api_?key|plaintext|password|cookie)";

/** A field that holds a secret, in a line of JSON: a string, or an array of strings. */
const SECRET_FIELD = new RegExp(String.raw`("${SECRET_NAME}":)(?:"(?:\\.|[^"\\])*"|\[(?:"(?:\\.|[^"\\])*",?)*\])`, "gi");

/** The same in JSON quoted inside a string. */
const QUOTED_SECRET_FIELD = new RegExp(String.raw`(?<!\\)(\\"${SECRET_NAME}\\":\\")(?:[^"\\]|\\[^"])*?\\"`, "gi");

/** Credentials as headers carry them, inside other text. */
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;

/**
 * Hides the secrets in a line of JSON, at any depth.
 * @param line one log line
 */
export const redactLine = (line: string): string =>
  redactText(line)
    .replace(SECRET_FIELD, `$1"${HIDDEN}"`)
    .replace(QUOTED_SECRET_FIELD, `$1${HIDDEN}\\"`)
    .replace(BEARER, `$1 ${HIDDEN}`);

type Line = Readonly<Record<string, unknown>>;

/** How each level is shown; one without an entry is ordinary. */
const LEVELS: Readonly<Record<string, { readonly word: string; readonly style: Parameters<typeof styleText>[0] }>> = {
  trace: { word: "trace", style: "dim" },
  debug: { word: "debug", style: "dim" },
  warn: { word: "warn", style: "yellow" },
  error: { word: "error", style: "red" },
  fatal: { word: "fatal", style: ["red", "bold"] },
};

/** Fields shown on their own, or the same on every line. */
const SHOWN_APART: ReadonlySet<string> = new Set(["level", "time", "name", "pid", "msg", "err"]);

/** Control characters, among them those that a terminal takes for commands. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/** Text from outside, harmless to a terminal. */
const harmless = (text: string): string => stripVTControlCharacters(text).replace(CONTROL, " ");

const valueText = (value: unknown): string =>
  typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);

/** An error as its message, and where it was thrown. */
const errorLines = (err: unknown): string[] => {
  if (!isRecord(err)) return [];
  const { type, message, stack } = err;
  const frames = typeof stack === "string" ? stack.split("\n").filter((line) => /^\s+at /.test(line)) : [];
  return [`${String(type ?? "Error")}: ${String(message ?? "")}`, ...frames.map((frame) => frame.trim())];
};

/**
 * One line of the log as text.
 * @param line JSON, as pino writes it, with secrets already hidden
 * @param isColoured whether levels have a colour
 */
export const logText = (line: string, isColoured: boolean): string => {
  const fields = JSON.parse(line) as Line; // pino wrote it
  const { word, style } = LEVELS[String(fields["level"])] ?? { word: "", style: "reset" };
  const styled = (kind: Parameters<typeof styleText>[0], text: string): string =>
    isColoured ? styleText(kind, text, { validateStream: false }) : text;
  const more = Object.entries(fields)
    .filter(([name]) => !SHOWN_APART.has(name))
    .map(([name, value]) => styled("dim", harmless(`${name}=${valueText(value)}`)));
  const head = [
    styled("dim", String(fields["time"]).slice(11, 19)),
    ...(word === "" ? [] : [styled(style, word)]),
    harmless(String(fields["msg"] ?? "")),
    ...more,
  ].join("  ");
  const below = errorLines(fields["err"]).map((each) => styled("dim", `          ${harmless(each)}`));
  return `${[head, ...below].join("\n")}\n`;
};

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
