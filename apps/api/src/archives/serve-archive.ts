/** Serves archives of the file store to requests with a valid link. */
import { Readable } from "node:stream";
import { type ArchiveName, archiveOpener, CONTENT_TYPES, downloadName, type OpenedArchive, readLink } from "@assay/archives";
import { refused } from "@assay/contract";
import type { Clock, Log } from "@assay/live";
import { requestIdOf } from "@assay/process";
import type { Context } from "hono";
import { type Env, refuse } from "../http/mount.ts";
import { readByteRange } from "./byte-range.ts";

/** What serving archives needs. */
export interface ArchiveServing {
  readonly directory: string;
  /** Signs links; the same in every process of a service. */
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
}

const headersOf = (
  name: ArchiveName,
  { sha256, rows, modifiedMs }: OpenedArchive,
  requestId: string,
): Record<string, string> => ({
  "Content-Type": CONTENT_TYPES[name.format],
  "Content-Disposition": `attachment; filename="${downloadName(name)}"`,
  "Accept-Ranges": "bytes",
  ETag: `"${sha256}"`,
  "Last-Modified": new Date(modifiedMs).toUTCString(),
  // Anyone with the link may read; proxies must not store a copy.
  "Cache-Control": "private, no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Request-Id": requestId,
  "X-Archive-SHA256": sha256,
  "X-Archive-Rows": String(rows),
});

/** Reads from the open file, so that replacing the archive does not affect a download in progress. */
const streamOf = ({ file }: OpenedArchive, start: number, end: number): ReadableStream => {
  const stream = file.createReadStream({ start, end, highWaterMark: 1 << 18 });
  return Readable.toWeb(stream) as ReadableStream; // the same class under its other type
};

/** Creates the handler of /archives. */
export const archiveDoor = ({ directory, secret, clock, log }: ArchiveServing) => {
  const open = archiveOpener(directory);

  const send = async (context: Context<Env>, name: ArchiveName, opened: OpenedArchive): Promise<Response> => {
    const { incoming } = context.env;
    const headers = headersOf(name, opened, requestIdOf(incoming));
    const given = incoming.headers;
    const etag = headers["ETag"] ?? "";
    const isKnown = given["if-none-match"]?.split(",").some((tag) => tag.trim() === etag || tag.trim() === "*") ?? false;
    // A part of a different version is useless: send the whole file.
    const ifRange = given["if-range"];
    const isSame = ifRange === undefined || ifRange === etag;
    // Ranges apply to GET only: HEAD describes the whole file.
    const isPart = isSame && incoming.method === "GET" && typeof given.range === "string";
    const range = isPart ? readByteRange(given.range, opened.bytes) : "whole";
    const finish = async (status: number, more: Record<string, string>): Promise<Response> => {
      await opened.file.close();
      return new Response(null, { status, headers: { ...headers, ...more } });
    };
    if (isKnown) return finish(304, {});
    if (range === "unsatisfiable") return finish(416, { "Content-Range": `bytes */${opened.bytes}` });
    const { start, end } = range === "whole" ? { start: 0, end: opened.bytes - 1 } : range;
    const part = range === "whole" ? {} : { "Content-Range": `bytes ${start}-${end}/${opened.bytes}` };
    const more = { ...part, "Content-Length": String(end - start + 1) };
    const status = range === "whole" ? 200 : 206;
    if (incoming.method === "HEAD") return finish(status, more);
    return new Response(streamOf(opened, start, end), { status, headers: { ...headers, ...more } });
  };

  return async (context: Context<Env>): Promise<Response> => {
    const { incoming } = context.env;
    if (incoming.method !== "GET" && incoming.method !== "HEAD")
      return refuse(incoming, refused("method_not_allowed"), { Allow: "GET, HEAD" });
    const url = incoming.url ?? "";
    const end = url.indexOf("?");
    // Everything after the first question mark is the query, further question marks included.
    const name = end === -1 ? null : readLink(url.slice(0, end), url.slice(end + 1), secret, clock());
    if (!name) return refuse(incoming, refused("link_expired"));
    try {
      const opened = await open(name);
      return opened ? await send(context, name, opened) : refuse(incoming, refused("not_found"));
    } catch (error) {
      log.error({ err: error, requestId: requestIdOf(incoming) }, "failed to send an archive");
      return refuse(incoming, refused("storage_unavailable"));
    }
  };
};
