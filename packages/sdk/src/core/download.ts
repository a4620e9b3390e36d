/** Saves the target of a link as a file: streamed, verified, and put in place only when complete. */
import type { Client } from "./client.ts";
import { AssayError, ConnectionError, DownloadError, RequestAbortedError, RequestTimeoutError } from "./errors.ts";
import type { RequestOptions } from "./options.ts";
import { builtinModule } from "./runtime.ts";

interface OpenFile {
  /** Appends all of the bytes. */
  writeFile(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

interface Checksum {
  update(bytes: Uint8Array): unknown;
  digest(form: "hex"): string;
}

/** The parts used of `node:fs/promises` and `node:crypto`, which Deno and Bun also have. */
interface FileRuntime {
  open(path: string, flags: "wx"): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { readonly force: true }): Promise<void>;
  createHash(algorithm: "sha256"): Checksum;
}

/** @throws AssayError when the runtime has no file functions */
const fileRuntime = async (): Promise<FileRuntime> => {
  const files = await builtinModule("node:fs/promises");
  const crypto = await builtinModule("node:crypto");
  if (!files || !crypto)
    throw new AssayError("Saving files needs Node.js, Deno or Bun. Elsewhere, request the link and fetch it yourself");
  const { open, rename, rm } = files as FileRuntime; // the modules' documented interface
  const { createHash } = crypto as FileRuntime; // as above
  return { open, rename, rm, createHash };
};

/** The progress of a download. */
export interface DownloadProgress {
  /** Bytes received so far. */
  readonly bytes: number;
  /** Total bytes; null when the storage does not say. */
  readonly totalBytes: number | null;
}

/**
 * Options of a download: those of the call for its link, and a progress callback. It fails after `timeoutMs` without progress.
 */
export interface SaveOptions extends RequestOptions {
  /** Called as bytes arrive. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** A saved file. */
export interface SavedDownload {
  /** Its path. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Rows of data in it; null when the storage does not say. */
  readonly rows: number | null;
}

/** How many times an interrupted transfer is resumed. */
const MOST_RESUMPTIONS = 5;

const numberOf = (text: string | null): number | null => (text !== null && /^[0-9]+$/.test(text) ? Number(text) : null);

/** The service's own header, or the S3 metadata header of the same name. */
const factOf = (headers: Headers, name: "sha256" | "rows"): string | null =>
  headers.get(`x-archive-${name}`) ?? headers.get(`x-amz-meta-${name}`);

const refusal = async (response: Response): Promise<DownloadError> => {
  await response.body?.cancel().catch(() => undefined);
  return new DownloadError(`The storage answered ${response.status}`);
};

/**
 * Saves a file.
 * @param client fetches it, without sending its key
 * @param link the call that returns the link
 * @param path the target; an existing file is replaced once the new one is complete
 * @param options signal, time limit and progress
 * @returns the saved file
 * @throws {DownloadError} when the file could not be fetched completely; nothing is left of it
 * @throws {ConnectionError} when the storage cannot be reached; {@link RequestTimeoutError} after `timeoutMs` without data
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
  const { createHash, open, rename, rm } = await fileRuntime();
  const unfinished = `${path}.${crypto.randomUUID()}.part`;
  const file = await open(unfinished, "wx");
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    let isDiskAtFault = false;
    let head: Headers | null = null;
    const total = (): number | null => numberOf(head?.get("content-length") ?? null);

    /** Receives from where the last transfer stopped; a file that has changed in the meantime is refused. */
    const receive = async (): Promise<void> => {
      const etag = head?.get("etag");
      const from: Record<string, string> = bytes > 0 && etag ? { range: `bytes=${bytes}-`, "if-range": etag } : {};
      const { response, pieces } = await client.follow(location, from, options);
      if (!response.ok || response.body === null) throw await refusal(response);
      if (bytes > 0 && response.status !== 206) {
        await response.body.cancel().catch(() => undefined);
        throw new DownloadError("The transfer was interrupted and cannot be resumed");
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
        if (expected !== null && bytes < expected) throw new ConnectionError("The transfer was interrupted");
        break;
      } catch (error) {
        if (signal?.aborted) throw new RequestAbortedError("Aborted", { cause: signal.reason });
        const isFinal = error instanceof DownloadError || error instanceof RequestTimeoutError || isDiskAtFault;
        if (isFinal || bytes === 0 || resumptions >= MOST_RESUMPTIONS) throw error;
      }
    }
    const sha256 = hash.digest("hex");
    const facts = head as Headers | null; // assigned inside `receive`, which the compiler does not track
    const expected = facts && factOf(facts, "sha256");
    if (expected && expected !== sha256) throw new DownloadError("The checksum of the downloaded file does not match");
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
