/** Links to archives: those of the file store point to this service, those of a bucket to S3. */
import { type Archives, signLink } from "@assay/archives";
import type { ArchiveLinks } from "@assay/services";

/**
 * Creates the function that makes links for callers.
 * @param secret signs links of the file store
 * @param publicUrl base of absolute links
 */
export const archiveLinks = (archives: Archives, secret: string, publicUrl: () => string): ArchiveLinks => ({
  has: (name) => archives.has(name),
  link: async (name, nowMs) => (archives.kind === "s3" ? archives.link(name) : `${publicUrl()}${signLink(name, secret, nowMs)}`),
});
