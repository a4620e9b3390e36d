/** The method that saves what a route redirects to. */
import { paramsName, resourceClass } from "./method-names.ts";
import type { MethodModel } from "./model.ts";
import { camelCase } from "./names.ts";
import { docComment } from "./text.ts";

/** Whether a route leads to a file by a redirect. */
export const leadsToFile = (method: MethodModel): boolean => method.status === 307;

/** What the method needs of the hand-written part. */
export const SAVE_IMPORT = 'import { type SavedDownload, type SaveOptions, saveDownload } from "../../lib/save-download.ts";';

/** The method. */
export const saveLines = (method: MethodModel): string[] => {
  const link = camelCase(method.action);
  const linkDoc = `{@link ${resourceClass(method.resource)}.${link}}`;
  return [
    "",
    ...docComment(
      [
        "Saves the file such a link leads to: streamed, its checksum compared, in its place only when it is whole.",
        "",
        `The key does not go along. A transfer that breaks off is taken up again where it did. One call of ${linkDoc}. Needs a runtime with files: Node.js, Deno or Bun.`,
        "@param params what is asked for",
        "@param path where the file goes; one that lies there is replaced once the new one is whole",
        "@param options settings of the call for the link, and `onProgress`",
        "@returns path, bytes, checksum and row count",
        "@throws {DownloadError} The file could not be had whole; nothing is left of it.",
        "@throws {ConnectionError} The storage cannot be reached.",
        `@throws {ApiError} What ${linkDoc} throws.`,
      ],
      "  ",
    ),
    `  save(params: ${paramsName(method)}, path: string, options: SaveOptions = {}): Promise<SavedDownload> {`,
    `    return saveDownload(this.#client, this.${link}(params, options), path, options);`,
    "  }",
  ];
};
