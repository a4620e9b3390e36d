/** How Assay names itself to upstreams: honestly, and with a page to complain to where the operator has one. */

const VERSION = "0.1.0";

/**
 * The User-Agent header.
 * @param contactUrl a page about this installation or this software; left out when there is none
 */
export const userAgent = (contactUrl?: string): string => (contactUrl ? `Assay/${VERSION} (+${contactUrl})` : `Assay/${VERSION}`);

/** The same name in the form of a browser's, for publishers that answer no other. It still says who asks. */
export const browserLikeAgent = `Mozilla/5.0 (compatible; ${userAgent()})`;
