/** What server-sent events carry; the SDK's streams, which say the same, are loaded later. A test compares them. */

/** Symbols of server-sent events. */
export const SSE_SYMBOLS = ["XAU-USD-SPOT", "XAG-USD-SPOT"] as const;
/** A symbol of server-sent events. */
export type SseSymbol = (typeof SSE_SYMBOLS)[number];
