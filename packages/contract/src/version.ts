/** The API version, as health and the documents report it. */
export const VERSION = "0.1.0";
