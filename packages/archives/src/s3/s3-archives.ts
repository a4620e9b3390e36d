/** Archives in a bucket of an S3 service. */
import { AwsClient } from "aws4fetch";
import { type ArchiveName, CONTENT_TYPES, downloadName, objectPath } from "../archive-name.ts";
import { ArchiveReplacedError, type ArchiveStore, ArchivesFailedError, ArchivesUnreachableError } from "../archive-store.ts";
import { LINK_TTL_MS } from "../file/signed-link.ts";
import { bucketUrl, type S3Bucket } from "./s3-settings.ts";

/** A bucket and the links into it. */
export interface S3Archives extends ArchiveStore {
  /** A link that S3 itself honours for an hour. Nothing is asked of it for that. */
  link(name: ArchiveName): Promise<string>;
}

/** How long S3 may take. */
export interface S3Timeouts {
  /** For an answer about an archive, while a caller waits. Default 3 000. */
  readonly answerMs?: number;
  /** For taking a whole archive in. Default 120 000. */
  readonly uploadMs?: number;
}

/** What of an answer is told: its status and the code S3 gives, never the address, which may hold a signature. */
const faultOf = async (response: Response): Promise<string> => {
  const [, code = ""] = /<Code>([\w.]{1,64})<\/Code>/.exec(await response.text().catch(() => "")) ?? [];
  return `S3 answered ${response.status}${code === "" ? "" : ` ${code}`}`;
};

const refusal = async (response: Response): Promise<Error> => {
  const fault = await faultOf(response);
  const isPassing = response.status >= 500 || response.status === 429;
  return isPassing ? new ArchivesUnreachableError(fault) : new ArchivesFailedError(fault);
};

/** What S3 answers when a condition does not hold, or a request that came at the same time was faster. */
const CONDITION_FAILED: readonly number[] = [409, 412];
const NOT_IMPLEMENTED = 501;

/** Keeps archives in a bucket. An object of S3 is there when the whole of it has arrived and its checksum holds, or not at all. */
export const s3Archives = (bucket: S3Bucket, { answerMs = 3_000, uploadMs = 120_000 }: S3Timeouts = {}): S3Archives => {
  const client = new AwsClient({
    accessKeyId: bucket.credentials.accessKeyId,
    secretAccessKey: bucket.credentials.secretAccessKey,
    ...(bucket.credentials.sessionToken === undefined ? {} : { sessionToken: bucket.credentials.sessionToken }),
    service: "s3",
    region: bucket.region,
    // A caller waits; the writer comes again by itself.
    retries: 0,
  });
  const root = `${bucketUrl(bucket)}/${bucket.prefix === "" ? "" : `${bucket.prefix}/`}`;
  const urlOf = (name: ArchiveName): string => `${root}${objectPath(name)}`;
  const ask = async (url: string, init: RequestInit, timeoutMs: number): Promise<Response> => {
    try {
      return await client.fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
    } catch (error) {
      throw new ArchivesUnreachableError("S3 does not answer", { cause: error });
    }
  };

  const versionOf = async (name: ArchiveName): Promise<string | null> => {
    const response = await ask(urlOf(name), { method: "HEAD" }, answerMs);
    if (response.ok) return response.headers.get("etag") ?? "";
    if (response.status === 404) return null;
    throw await refusal(response);
  };

  return {
    description: `the S3 bucket ${bucket.bucket}`,
    versionOf,
    put: async (name, bytes, { rows, sha256 }, replaced) => {
      const headers = {
        "Content-Type": CONTENT_TYPES[name.format],
        "Content-Disposition": `attachment; filename="${downloadName(name)}"`,
        // Signed along with the request: S3 itself refuses bytes that come to another one.
        "X-Amz-Content-Sha256": sha256,
        "x-amz-meta-sha256": sha256,
        "x-amz-meta-rows": String(rows),
      };
      const body = bytes as Uint8Array<ArrayBuffer>; // archives are made in ordinary memory
      const send = (condition: Record<string, string>): Promise<Response> =>
        ask(urlOf(name), { method: "PUT", headers: { ...headers, ...condition }, body }, uploadMs);
      // Services that pass over conditions are asked here; those that keep them leave no moment in between.
      if (replaced !== undefined && (await versionOf(name)) !== replaced) throw new ArchiveReplacedError();
      const condition: Record<string, string> =
        replaced === undefined ? {} : replaced === null ? { "If-None-Match": "*" } : { "If-Match": replaced };
      let response = await send(condition);
      if (response.status === NOT_IMPLEMENTED) {
        await response.body?.cancel();
        response = await send({});
      }
      if (CONDITION_FAILED.includes(response.status)) {
        await response.body?.cancel();
        throw new ArchiveReplacedError();
      }
      if (!response.ok) throw await refusal(response);
      await response.body?.cancel();
    },
    has: async (name) => (await versionOf(name)) !== null,
    link: async (name) => {
      // The signature is of the time S3 sees, so its clock is the system's and not Assay's own.
      const url = `${urlOf(name)}?X-Amz-Expires=${LINK_TTL_MS / 1_000}`;
      return (await client.sign(url, { method: "GET", aws: { signQuery: true } })).url;
    },
  };
};
