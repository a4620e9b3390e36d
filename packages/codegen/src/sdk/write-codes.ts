/** Writes codes.ts: the error codes each method can return. */
import type { MethodModel, SdkModel } from "./model.ts";
import { docComment, fileText, LINE_WIDTH } from "./text.ts";

const codesOf = ({ ownCodes, sharedCodes }: MethodModel): string[] => [...new Set([...ownCodes, ...sharedCodes])];

const entryLines = (method: MethodModel): string[] => {
  const codes = codesOf(method).map((code) => JSON.stringify(code));
  const before = `  readonly "${method.name}":`;
  if (codes.length === 0) return [`${before} never;`];
  const line = `${before} ${codes.join(" | ")};`;
  if (line.length <= LINE_WIDTH) return [line];
  return [before, ...codes.map((code, index) => `    | ${code}${index === codes.length - 1 ? ";" : ""}`)];
};

/** The file. */
export const codesFile = ({ methods }: SdkModel): string =>
  fileText(
    "The error codes that each method can return.",
    [],
    [
      [
        ...docComment(["Codes by method: those of the route itself, then those that follow from keys, limits and parameters."]),
        "export interface CodesOf {",
        ...methods.flatMap(entryLines),
        "}",
      ],
    ],
  );
