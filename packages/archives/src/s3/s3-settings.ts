/** Settings of a bucket. */

/** Credentials of an S3 service. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** A bucket. */
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
