/** The log of engines nobody listens to. */
import type { LiveLog } from "./ports.ts";

/** Hears everything, keeps nothing. */
export const silentLog: LiveLog = { info: () => {}, warn: () => {}, error: () => {} };
