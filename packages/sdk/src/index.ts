/** The Assay client. */
export {};
