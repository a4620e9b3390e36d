/** Which commit this program was built from; the bundler knows. */

declare const ASSAY_COMMIT: string | undefined;

/** Abbreviated, with `-dirty` for changes on top; null when it runs from source, or was built outside a clone. */
export const COMMIT: string | null = (typeof ASSAY_COMMIT === "undefined" ? "" : ASSAY_COMMIT) || null;
