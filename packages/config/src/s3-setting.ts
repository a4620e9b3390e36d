/** How to reach an S3 service: the standard AWS variables. */
import { type Environment, textOf } from "./variables.ts";

/** S3 credentials. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Set for temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** Amazon's default region; most other services ignore it. */
const DEFAULT_REGION = "us-east-1";

/** The region of the bucket. */
export const readS3Region = (env: Environment): string =>
  textOf(env, "AWS_REGION") ?? textOf(env, "AWS_DEFAULT_REGION") ?? DEFAULT_REGION;

/** The credentials; null when none are set. */
export const readS3Credentials = (env: Environment): S3Credentials | null => {
  const accessKeyId = textOf(env, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = textOf(env, "AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { accessKeyId, secretAccessKey, sessionToken: textOf(env, "AWS_SESSION_TOKEN") };
};
