/** The streams as other apps compose them. */
export {};
