/** Classifies an archive failure as one public word; the log has the details. */
import { ArchivesFailedError, ArchivesUnreachableError } from "@assay/archives";
import { StoreUnavailableError } from "@assay/db";

const NO_SPACE: readonly unknown[] = ["ENOSPC", "EDQUOT"];

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** The class of a fault. */
export const faultClass = (error: unknown): string => {
  if (error instanceof ArchivesUnreachableError) return "storage_unreachable";
  if (error instanceof ArchivesFailedError) return NO_SPACE.includes(codeOf(error.cause)) ? "no_space" : "storage_error";
  if (error instanceof StoreUnavailableError) return "database_unavailable";
  return "build_failed";
};
