/** How a bucket is reached. */

/** Credentials of an S3 service. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that are lent for a while. */
  readonly sessionToken?: string | undefined;
}

/** A bucket. */
export interface S3Bucket {
  readonly bucket: string;
  /** Laid before the path of each archive; without a slash at either end, empty for none. */
  readonly prefix: string;
  readonly region: string;
  /** Another service than Amazon's, without an ending slash; its buckets are folders of it. */
  readonly endpoint?: string | undefined;
  readonly credentials: S3Credentials;
}

/** The address of a bucket. Amazon's are hosts of their own, but for names with dots, which no certificate covers. */
export const bucketUrl = ({ bucket, region, endpoint }: S3Bucket): string => {
  if (endpoint !== undefined) return `${endpoint}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
};
