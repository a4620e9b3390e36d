/** Extracts the commands of a guide with the answers it shows, and runs them as a reader would. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A command of the guide, and the JSON shown below it, if any. */
interface Step {
  readonly command: string;
  readonly shown: unknown;
}

const BLOCK = /^```(\w+)\n([\s\S]*?)^```/gm;

/** The code blocks of a guide, in order. */
export const blocksOf = (markdown: string): { readonly language: string; readonly text: string }[] =>
  [...markdown.matchAll(BLOCK)].map(([, language = "", text = ""]) => ({ language, text }));

/** The steps of a guide, in order. */
export const stepsOf = (markdown: string): Step[] => {
  const blocks = blocksOf(markdown);
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== "sh") return [];
    const next = blocks[index + 1];
    return [{ command: text.trim(), shown: next?.language === "json" ? JSON.parse(next.text) : undefined }];
  });
};

/** The shape of JSON: its fields and the types of their values. Null matches any value. */
export const shapeOf = (value: unknown): unknown => {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object") return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, field]) => [name, shapeOf(field)]),
  );
};

/**
 * Runs commands in one shell, as a reader who enters them one after another.
 * @param folder the folder that contains the service's `data` folder
 * @returns the output of each command
 */
export const runSteps = async (commands: readonly string[], folder: string): Promise<string[]> => {
  const mark = "-- the next command --";
  const script = commands.join(`\necho; echo '${mark}'\n`);
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], { cwd: folder, maxBuffer: 16 * 1024 * 1024 });
  return stdout.split(`${mark}\n`).map((text) => text.trim());
};

/** The JSON paths of a page: `$.price`, `$.bars[*].close`. */
export const pathsOf = (markdown: string): string[] => [
  ...new Set([...markdown.matchAll(/\$(?:\.\w+(?:\[\*\])?)+/g)].map(([path]) => path)),
];

/** The values at a JSON path of names and `[*]`. */
export const valuesAt = (path: string, value: unknown): unknown[] =>
  path
    .split(".")
    .slice(1)
    .reduce<unknown[]>(
      (found, part) => {
        const name = part.replace("[*]", "");
        const next = found.flatMap((each) =>
          typeof each === "object" && each !== null && name in each ? [Reflect.get(each, name)] : [],
        );
        return part.endsWith("[*]") ? next.flat() : next;
      },
      [value],
    );
