/** Where archives are stored: a folder, or a bucket of an S3 service and how it is reached. */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type Environment, textOf, type Variable } from "./variables.ts";

export type ArchiveLocation =
  | { readonly kind: "file"; readonly directory: string }
  /** The prefix has no slash at either end. */
  | { readonly kind: "s3"; readonly bucket: string; readonly prefix: string };

export const archivesUnder = (dataDir: string): ArchiveLocation => ({ kind: "file", directory: join(dataDir, "archives") });

const readLocation = (text: string, context: z.RefinementCtx): ArchiveLocation => {
  if (text.startsWith("file:")) {
    const path = text.slice("file:".length);
    if (path === "" || path === "//") context.addIssue({ code: "custom", message: "no folder is named" });
    else if (!path.startsWith("//")) return { kind: "file", directory: resolve(path) };
    else if (!URL.canParse(text) || new URL(text).host !== "") {
      context.addIssue({ code: "custom", message: "a folder on another host" });
    } else {
      try {
        return { kind: "file", directory: fileURLToPath(text) };
      } catch {
        context.addIssue({ code: "custom", message: "not a file URL; a percent sign is written %25" });
      }
    }
    return z.NEVER;
  }
  const s3 = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*))?$/.exec(text);
  if (s3) return { kind: "s3", bucket: s3[1] ?? "", prefix: (s3[2] ?? "").replace(/^\/+|\/+$/g, "") };
  context.addIssue({ code: "invalid_format", format: "url" });
  return z.NEVER;
};

export const archiveLocation: Variable<ArchiveLocation> = {
  schema: z.string().transform(readLocation),
  mayHold: "file:FOLDER or s3://BUCKET/PREFIX",
};

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Set for temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** Amazon's default region; most other services ignore it. */
const DEFAULT_REGION = "us-east-1";

export const readS3Region = (env: Environment): string =>
  textOf(env, "AWS_REGION") ?? textOf(env, "AWS_DEFAULT_REGION") ?? DEFAULT_REGION;

/** The credentials; null when none are set. */
export const readS3Credentials = (env: Environment): S3Credentials | null => {
  const accessKeyId = textOf(env, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = textOf(env, "AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { accessKeyId, secretAccessKey, sessionToken: textOf(env, "AWS_SESSION_TOKEN") };
};
