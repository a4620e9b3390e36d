/** Log lines for people at a terminal: the time, the level if it matters, what happened, and the fields. */
import { stripVTControlCharacters, styleText } from "node:util";

/** A parsed line of the log. */
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

const isRecord = (value: unknown): value is Line => typeof value === "object" && value !== null && !Array.isArray(value);

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
