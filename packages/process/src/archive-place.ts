/** The archive location with the credentials needed to reach it. */
import type { ArchivePlace } from "@assay/archives";
import { SettingError, type Settings } from "@assay/config";

/**
 * Returns the archive location with everything needed to reach it.
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
