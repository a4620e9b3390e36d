/** Extracts a source file's imports and its first comment. */
import { parseSync } from "oxc-parser";

const literal = (text) => (/^(["'`]).*\1$/s.test(text) && !text.includes("${") ? text.slice(1, -1) : null);

/**
 * Parses a source file.
 * @param path its name, which determines the language
 * @param text its content
 * @returns the modules it names (imports, re-exports and dynamic imports of a literal), and the text of its head comment
 */
export const readModule = (path, text) => {
  const { module, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const requests = [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap((one) => one.entries.map((entry) => entry.moduleRequest?.value ?? null)),
    ...module.dynamicImports.map((one) => literal(text.slice(one.moduleRequest.start, one.moduleRequest.end))),
  ];
  const [first] = comments.filter((comment) => comment.type === "Block");
  const isHead = first && /^(#!.*\n)?\s*$/.test(text.slice(0, first.start));
  return { imports: [...new Set(requests.filter((request) => request !== null))], head: isHead ? first.value : null };
};
