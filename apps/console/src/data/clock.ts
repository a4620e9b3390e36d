/** The reader's clock as a signal: ages and countdowns follow it, once a second while the page can be seen. */
import { signal } from "@preact/signals";

/** Epoch milliseconds, at most a second old. */
export const nowMs = signal(Date.now());

const tick = (): void => {
  nowMs.value = Date.now();
};

setInterval(() => {
  if (!document.hidden) tick();
}, 1_000);
document.addEventListener("visibilitychange", tick);
