/**
 * The service: where it is, and whether it answers at all. Every request goes through here, so that one lost connection is one
 * message.
 */
import { signal } from "@preact/signals";

/** The base URL, with a slash at its end. Every page of the console is one level below it. */
export const BASE = new URL("./", document.baseURI).href;

/** The absolute URL of a path below the base, given without a slash in front. */
export const at = (path: string): string => new URL(path, BASE).href;

/** Since when nothing answers, in epoch milliseconds; null while it does. */
export const lostSince = signal<number | null>(null);

/** What a proxy answers in front of a service that is gone. */
const GONE = new Set([502, 504]);
/** What a service answers that is starting, to all but its health. */
const STARTING = 503;
/** How often the service is looked for while it is gone. */
const LOOK_EVERY_MS = 2_000;
/** After how long without an answer it is looked for: pages that seldom ask must not show old figures as if they were new. */
const QUIET_MS = 15_000;

const returned = new Set<() => void>();

/** Calls back each time the service answers again; returns how to stop. */
export const onReturn = (call: () => void): (() => void) => {
  returned.add(call);
  return () => {
    returned.delete(call);
  };
};

const ask = (path: string): Promise<Response> => reach(at(path), { cache: "no-store" });

const look = (): void => {
  const again = (): void => {
    if (lostSince.value !== null) setTimeout(look, LOOK_EVERY_MS);
  };
  // Health is answered by a service that is still starting, too.
  ask("v1/status").then(again, again);
};

const lose = (): void => {
  if (lostSince.value !== null) return;
  lostSince.value = Date.now();
  setTimeout(look, LOOK_EVERY_MS);
};

const find = (): void => {
  if (lostSince.value === null) return;
  lostSince.value = null;
  for (const call of returned) call();
};

let answeredAtMs = Date.now();

setInterval(() => {
  // A failure is noted by `reach` itself.
  if (lostSince.value === null && !document.hidden && Date.now() - answeredAtMs > QUIET_MS)
    ask("v1/health").catch(() => undefined);
}, QUIET_MS / 3);

/** `fetch`, watched: an answer of any kind says that the service is there; one that was gone may still be starting. */
export const reach: typeof globalThis.fetch = async (input, init) => {
  try {
    const response = await fetch(input, init);
    answeredAtMs = Date.now();
    if (GONE.has(response.status)) lose();
    else if (response.status !== STARTING) find();
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) lose();
    throw error;
  }
};
