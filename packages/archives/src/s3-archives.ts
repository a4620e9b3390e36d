/** Archives in a bucket of an S3 service. */
import { AwsClient } from "aws4fetch";
import {
  type ArchiveName,
  ArchiveReplacedError,
  type ArchiveStore,
  ArchivesFailedError,
  ArchivesUnreachableError,
  CONTENT_TYPES,
  downloadName,
  objectPath,
} from "./archive-store.ts";
import { LINK_TTL_MS } from "./signed-link.ts";

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials. */
  readonly sessionToken?: string | undefined;
}

export interface S3Bucket {
  readonly bucket: string;
  /** Prefix of every archive's path; without a slash at either end, empty for none. */
  readonly prefix: string;
  readonly region: string;
  /** An S3 service other than Amazon's, without a trailing slash; uses path-style URLs. */
  readonly endpoint?: string | undefined;
  readonly credentials: S3Credentials;
}

/** The URL of a bucket. Amazon's are hosts of their own, except for names with dots, which no certificate covers. */
export const bucketUrl = ({ bucket, region, endpoint }: S3Bucket): string => {
  if (endpoint !== undefined) return `${endpoint}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
};

export interface S3Archives extends ArchiveStore {
  /** A presigned link, valid for an hour. Signing makes no request to S3. */
  link(name: ArchiveName): Promise<string>;
}

/** Timeouts for S3, in milliseconds. */
export interface S3Timeouts {
  /** For a request about an archive, while a caller waits. Default 3 000. */
  readonly answerMs?: number;
  /** For uploading a whole archive. Default 120 000. */
  readonly uploadMs?: number;
}

/** The loggable part of an error: its status and S3's code, never the URL, which may contain a signature. */
const faultOf = async (response: Response): Promise<string> => {
  const [, code = ""] = /<Code>([\w.]{1,64})<\/Code>/.exec(await response.text().catch(() => "")) ?? [];
  return `S3 answered ${response.status}${code === "" ? "" : ` ${code}`}`;
};

const refusal = async (response: Response): Promise<Error> => {
  const fault = await faultOf(response);
  const isPassing = response.status >= 500 || response.status === 429;
  return isPassing ? new ArchivesUnreachableError(fault) : new ArchivesFailedError(fault);
};

/** S3's errors when a condition fails, or a concurrent request was faster. */
const CONDITION_FAILED: readonly number[] = [409, 412];
const NOT_IMPLEMENTED = 501;

/** Stores archives in a bucket. An S3 object exists only when it has arrived completely and its checksum matches. */
export const s3Archives = (bucket: S3Bucket, { answerMs = 3_000, uploadMs = 120_000 }: S3Timeouts = {}): S3Archives => {
  const client = new AwsClient({
    accessKeyId: bucket.credentials.accessKeyId,
    secretAccessKey: bucket.credentials.secretAccessKey,
    ...(bucket.credentials.sessionToken === undefined ? {} : { sessionToken: bucket.credentials.sessionToken }),
    service: "s3",
    region: bucket.region,
    // A caller is waiting; the writer retries later anyway.
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
    put: async (name, bytes, { rows, sha256, revision }, replaced) => {
      const headers = {
        "Content-Type": CONTENT_TYPES[name.format],
        "Content-Disposition": `attachment; filename="${downloadName(name)}"`,
        // Signed with the request: S3 refuses bytes with another checksum.
        "X-Amz-Content-Sha256": sha256,
        "x-amz-meta-sha256": sha256,
        "x-amz-meta-rows": String(rows),
        ...(revision === undefined ? {} : { "x-amz-meta-revision": String(revision) }),
      };
      const body = bytes as Uint8Array<ArrayBuffer>; // archives are built in non-shared memory
      const send = (condition: Record<string, string>): Promise<Response> =>
        ask(urlOf(name), { method: "PUT", headers: { ...headers, ...condition }, body }, uploadMs);
      // For services that ignore conditions, check here as well; those that support them leave no race.
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
      // The signature carries the time that S3 checks, so it uses the system clock, not Assay's.
      const url = `${urlOf(name)}?X-Amz-Expires=${LINK_TTL_MS / 1_000}`;
      return (await client.sign(url, { method: "GET", aws: { signQuery: true } })).url;
    },
  };
};
