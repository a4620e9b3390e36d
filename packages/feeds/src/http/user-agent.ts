/** The User-Agent for upstreams: honest, with a contact page where the operator has one. */

const VERSION = "0.1.0";

/**
 * The User-Agent header.
 * @param contactUrl a page about this installation or this software; omitted when there is none
 */
export const userAgent = (contactUrl?: string): string => (contactUrl ? `Assay/${VERSION} (+${contactUrl})` : `Assay/${VERSION}`);

/** The same name in browser form, for publishers that refuse any other. It still identifies us. */
export const browserLikeAgent = `Mozilla/5.0 (compatible; ${userAgent()})`;
