/** Saves what a link leads to as a file: streamed, checked, and in its place only when it is whole. */
import type { Client } from "../core/client.ts";
import { ConnectionError, DownloadError, RequestAbortedError, RequestTimeoutError } from "../core/errors.ts";
import type { RequestOptions } from "../core/options.ts";
import { fileRuntime } from "./file-runtime.ts";

/** How far a download is. */
export interface DownloadProgress {
  /** Bytes received so far. */
  readonly bytes: number;
  /** Bytes in all; null where the storage does not say. */
  readonly totalBytes: number | null;
}

/** Settings of a download: those of the call for its link, and how it may be watched. Without progress for `timeoutMs` it fails. */
export interface SaveOptions extends RequestOptions {
  /** Hears of bytes as they come. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** A saved file. */
export interface SavedDownload {
  /** Where it lies. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly sha256: string;
  /** Rows of data in it; null where the storage does not say. */
  readonly rows: number | null;
}

/** How often a transfer that broke off is taken up again. */
const MOST_RESUMPTIONS = 5;

const numberOf = (text: string | null): number | null => (text !== null && /^[0-9]+$/.test(text) ? Number(text) : null);

/** The service's own name of a header, or the one S3 gives what it keeps beside an object. */
const factOf = (headers: Headers, name: "sha256" | "rows"): string | null =>
  headers.get(`x-archive-${name}`) ?? headers.get(`x-amz-meta-${name}`);

const refusal = async (response: Response): Promise<DownloadError> => {
  await response.body?.cancel().catch(() => undefined);
  return new DownloadError(`The storage answered ${response.status}`);
};

/**
 * Saves a file.
 * @param client fetches it, without its key
 * @param link the call that gives the link
 * @param path where it goes; a file that lies there is replaced once the new one is whole
 * @param options signal, time and progress
 * @returns what was saved
 * @throws {DownloadError} when the file could not be had whole; nothing is left of it
 * @throws {ConnectionError} when the storage cannot be reached; {@link RequestTimeoutError} when nothing comes for `timeoutMs`
 * @throws the errors of the link's call, and the system's own when the file cannot be written
 */
export const saveDownload = async (
  client: Client,
  link: Promise<{ readonly location: string }>,
  path: string,
  options: SaveOptions,
): Promise<SavedDownload> => {
  const { signal, onProgress } = options;
  const { location } = await link;
  const { createHash, open, rename, rm } = fileRuntime();
  const unfinished = `${path}.${crypto.randomUUID()}.part`;
  const file = await open(unfinished, "wx");
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    let isDiskAtFault = false;
    let head: Headers | null = null;
    const total = (): number | null => numberOf(head?.get("content-length") ?? null);

    /** Receives from where the last transfer broke off; a file that is another by now is refused. */
    const receive = async (): Promise<void> => {
      const etag = head?.get("etag");
      const from: Record<string, string> = bytes > 0 && etag ? { range: `bytes=${bytes}-`, "if-range": etag } : {};
      const { response, pieces } = await client.follow(location, from, options);
      if (!response.ok || response.body === null) throw await refusal(response);
      if (bytes > 0 && response.status !== 206) {
        await response.body.cancel().catch(() => undefined);
        throw new DownloadError("The transfer broke off, and the file cannot be taken up again");
      }
      head ??= response.headers;
      for await (const chunk of pieces()) {
        hash.update(chunk);
        await file.writeFile(chunk).catch((error: unknown) => {
          isDiskAtFault = true;
          throw error;
        });
        bytes += chunk.byteLength;
        onProgress?.({ bytes, totalBytes: total() });
      }
    };

    for (let resumptions = 0; ; resumptions += 1) {
      try {
        await receive();
        const expected = total();
        if (expected !== null && bytes < expected) throw new ConnectionError("The transfer broke off");
        break;
      } catch (error) {
        if (signal?.aborted) throw new RequestAbortedError("Aborted", { cause: signal.reason });
        const isFinal = error instanceof DownloadError || error instanceof RequestTimeoutError || isDiskAtFault;
        if (isFinal || bytes === 0 || resumptions >= MOST_RESUMPTIONS) throw error;
      }
    }
    const sha256 = hash.digest("hex");
    const facts = head as Headers | null; // narrowed away: it is set inside `receive`
    const expected = facts && factOf(facts, "sha256");
    if (expected && expected !== sha256)
      throw new DownloadError("The file that came is not the one that was sent: its checksum differs");
    await file.sync();
    await file.close();
    await rename(unfinished, path);
    return { path, bytes, sha256, rows: facts && numberOf(factOf(facts, "rows")) };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
};
