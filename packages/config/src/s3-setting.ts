/** How an S3 service is reached: the usual variables of AWS, and what a bucket needs of them. */
import type { ArchivePlace, S3Credentials } from "@assay/archives";
import { SettingError } from "./setting-error.ts";
import type { Settings } from "./settings.ts";
import { type Environment, textOf } from "./variables.ts";

/** Where Amazon puts buckets unless told otherwise; other services mostly do not care. */
const DEFAULT_REGION = "us-east-1";

/** The region of the bucket. */
export const readS3Region = (env: Environment): string =>
  textOf(env, "AWS_REGION") ?? textOf(env, "AWS_DEFAULT_REGION") ?? DEFAULT_REGION;

/** The credentials; null where there are none. */
export const readS3Credentials = (env: Environment): S3Credentials | null => {
  const accessKeyId = textOf(env, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = textOf(env, "AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { accessKeyId, secretAccessKey, sessionToken: textOf(env, "AWS_SESSION_TOKEN") };
};

/**
 * Where archives lie, with all that is needed to get there.
 * @throws SettingError for a bucket without credentials
 */
export const archivePlace = (settings: Pick<Settings, "archive" | "s3Endpoint" | "s3Region" | "s3Credentials">): ArchivePlace => {
  const { archive, s3Endpoint: endpoint, s3Region: region, s3Credentials: credentials } = settings;
  if (archive.kind === "file") return archive;
  if (credentials) return { ...archive, endpoint, region, credentials };
  throw new SettingError({
    variable: "AWS_ACCESS_KEY_ID",
    value: "",
    mayHold: "the id of an access key, and AWS_SECRET_ACCESS_KEY its secret",
    because: "ARCHIVE_URL names a bucket",
  });
};
