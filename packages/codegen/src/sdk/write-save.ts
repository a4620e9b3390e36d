/** Writes the method that saves the file a route redirects to. */
import { paramsName, resourceClass } from "./method-names.ts";
import type { MethodModel } from "./model.ts";
import { camelCase } from "./names.ts";
import { docComment } from "./text.ts";

/** Whether a route redirects to a file. */
export const leadsToFile = (method: MethodModel): boolean => method.status === 307;

/** Imports the method needs from the hand-written part. */
export const SAVE_IMPORT =
  'import { type SavedDownload, type SaveOptions, saveDownload } from "../../core/download/save-download.ts";';

/** The method. */
export const saveLines = (method: MethodModel): string[] => {
  const link = camelCase(method.action);
  const linkDoc = `{@link ${resourceClass(method.resource)}.${link}}`;
  return [
    "",
    ...docComment(
      [
        "Saves the file behind such a link. It is streamed and its checksum is verified; the target is replaced only when the file is complete.",
        "",
        `The key is not sent with the download. An interrupted transfer resumes where it stopped. Calls ${linkDoc} once. Needs a runtime with files: Node.js, Deno or Bun.`,
        "@param params parameters of the link",
        "@param path where to save the file; an existing file is replaced once the download is complete",
        "@param options settings of the call for the link, and `onProgress`",
        "@returns path, bytes, checksum and row count",
        "@throws {DownloadError} The download failed; no partial file is left.",
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
