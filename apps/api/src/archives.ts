/** Archives: the links to them, and serving those of the file store to requests with a valid link. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import {
  type ArchiveName,
  type Archives,
  archiveOpener,
  CONTENT_TYPES,
  downloadName,
  type OpenedArchive,
  readLink,
  signLink,
} from "@assay/archives";
import { refused } from "@assay/contract";
import type { Log } from "@assay/live";
import type { Clock } from "@assay/ports";
import { isReading, requestIdOf } from "@assay/process";
import { type ArchiveLinks, matchesEtag, NOSNIFF } from "@assay/services";
import type { Context } from "hono";
import parseRange from "range-parser";
import { type Env, refuse, refuseMethod } from "./http/send.ts";

/**
 * Creates the function that makes links for callers.
 * @param secret signs links of the file store
 * @param publicUrl base of absolute links
 */
export const archiveLinks = (archives: Archives, secret: string, publicUrl: () => string): ArchiveLinks => ({
  has: (name) => archives.has(name),
  link: async (name, nowMs) => (archives.kind === "s3" ? archives.link(name) : `${publicUrl()}${signLink(name, secret, nowMs)}`),
});

/** The first and the last byte; for an empty file the end is before the start. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a Range header. Several ranges at once are answered with the whole file, as HTTP allows; a suffix longer than the file
 * is all of it.
 * @returns `whole`, `unsatisfiable`, or the one range
 */
const readByteRange = (header: string | undefined, bytes: number): "whole" | "unsatisfiable" | ByteRange => {
  if (header === undefined || !/^bytes=/i.test(header)) return "whole";
  const tailsFit = header.replace(
    /([=,]\s*-)([0-9]+)/g,
    (_, before: string, tail: string) => before + Math.min(Number(tail), bytes),
  );
  const ranges = parseRange(bytes, tailsFit, { combine: true });
  if (ranges === -1) return "unsatisfiable";
  const [only] = ranges === -2 ? [] : ranges;
  return only && ranges !== -2 && ranges.length === 1 ? { start: only.start, end: only.end } : "whole";
};

interface ArchiveServing {
  readonly directory: string;
  /** Signs links; the same in every process of a service. */
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
}

const headersOf = (
  name: ArchiveName,
  { sha256, rows, revision, modifiedMs }: OpenedArchive,
  requestId: string,
): Record<string, string> => ({
  "Content-Type": CONTENT_TYPES[name.format],
  "Content-Disposition": `attachment; filename="${downloadName(name)}"`,
  "Accept-Ranges": "bytes",
  ETag: `"${sha256}"`,
  "Last-Modified": new Date(modifiedMs).toUTCString(),
  // Anyone with the link may read; proxies must not store a copy.
  "Cache-Control": "private, no-store",
  ...NOSNIFF,
  "X-Request-Id": requestId,
  "X-Archive-SHA256": sha256,
  "X-Archive-Rows": String(rows),
  ...(revision === undefined ? {} : { "X-Archive-Revision": String(revision) }),
});

/** Reads from the open file, so that replacing the archive does not affect a download in progress. */
const streamOf = ({ file }: OpenedArchive, start: number, end: number): ReadableStream => {
  const stream = file.createReadStream({ start, end, highWaterMark: 1 << 18 });
  return Readable.toWeb(stream) as ReadableStream; // the same class under its other type
};

/**
 * Waits until the answers before it on its connection are sent, so that a connection has one file open. It may never be its turn: a
 * response that waits is not told that the connection has closed.
 */
const turnOf = async (outgoing: ServerResponse): Promise<void> => {
  if (outgoing.socket === null) await once(outgoing, "socket");
};

export const archiveDoor = ({ directory, secret, clock, log }: ArchiveServing) => {
  const open = archiveOpener(directory);

  const send = async (context: Context<Env>, name: ArchiveName, opened: OpenedArchive): Promise<Response> => {
    const { incoming } = context.env;
    const headers = headersOf(name, opened, requestIdOf(incoming));
    const given = incoming.headers;
    const etag = headers["ETag"] ?? "";
    const isKnown = matchesEtag(given["if-none-match"], etag);
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
    // Of a connection that has closed the response may not be told any more, and would leave the file open.
    if (incoming.method === "HEAD" || incoming.socket.destroyed) return finish(status, more);
    return new Response(streamOf(opened, start, end), { status, headers: { ...headers, ...more } });
  };

  return async (context: Context<Env>): Promise<Response> => {
    const { incoming, outgoing } = context.env;
    if (!isReading(incoming)) return refuseMethod(incoming);
    await turnOf(outgoing);
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
