/** Sends archives of the file store to whoever brings a link that is good. */
import { Readable } from "node:stream";
import { type ArchiveName, archiveOpener, CONTENT_TYPES, downloadName, type OpenedArchive, readLink } from "@assay/archives";
import { requestIdOf } from "@assay/config";
import { Refusal } from "@assay/contract";
import type { Clock, ServiceLog } from "@assay/services";
import type { Context } from "hono";
import { type Env, refuse } from "../http/mount.ts";
import { readByteRange } from "./byte-range.ts";

/** What archives are served with. */
export interface ArchiveServing {
  readonly directory: string;
  /** Signs links; the same in every process of a service. */
  readonly secret: string;
  readonly clock: Clock;
  readonly log: ServiceLog;
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
  // Whoever holds the link may read; nobody in between keeps a copy.
  "Cache-Control": "private, no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Request-Id": requestId,
  "X-Archive-SHA256": sha256,
  "X-Archive-Rows": String(rows),
});

/** Reads from the open file, so that an archive that is replaced meanwhile does not change under the reader. */
const streamOf = ({ file }: OpenedArchive, start: number, end: number): ReadableStream => {
  const stream = file.createReadStream({ start, end, highWaterMark: 1 << 18 });
  return Readable.toWeb(stream) as ReadableStream; // the same class under another of its two types
};

/** Makes the handler of /archives. */
export const archiveDoor = ({ directory, secret, clock, log }: ArchiveServing) => {
  const open = archiveOpener(directory);

  const send = async (context: Context<Env>, name: ArchiveName, opened: OpenedArchive): Promise<Response> => {
    const { incoming } = context.env;
    const headers = headersOf(name, opened, requestIdOf(incoming));
    const given = incoming.headers;
    const etag = headers["ETag"] ?? "";
    const isKnown = given["if-none-match"]?.split(",").some((tag) => tag.trim() === etag || tag.trim() === "*") ?? false;
    // A part of another file than the one begun with is no use: then the whole is sent.
    const ifRange = given["if-range"];
    const isSame = ifRange === undefined || ifRange === etag;
    // Parts are a matter of GET alone: HEAD tells of the whole.
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
      return refuse(incoming, new Refusal("method_not_allowed"), { Allow: "GET, HEAD" });
    const url = incoming.url ?? "";
    const end = url.indexOf("?");
    // All of it is the link: a second question mark is a letter of the query like any other.
    const name = end === -1 ? null : readLink(url.slice(0, end), url.slice(end + 1), secret, clock());
    if (!name) return refuse(incoming, new Refusal("link_expired"));
    try {
      const opened = await open(name);
      return opened ? await send(context, name, opened) : refuse(incoming, new Refusal("not_found"));
    } catch (error) {
      log.error({ err: error, requestId: requestIdOf(incoming) }, "an archive cannot be sent");
      return refuse(incoming, new Refusal("storage_unavailable"));
    }
  };
};
