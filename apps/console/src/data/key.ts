/**
 * The reader's API key: in memory, or for this tab when they ask for it. Never in an address, a cookie or what other tabs can
 * read; a key that arrives behind `#` is taken and wiped at once.
 */
import { batch, computed, signal } from "@preact/signals";

const STORED = "assay.key";
const IN_ADDRESS = /^#key=([\x21-\x7e]{1,200})$/;
const IS_KEY = /^[\x21-\x7e]{1,200}$/;

/** The key in the address, which no longer has it afterwards. */
const keyFromAddress = (): string | null => {
  const [, found] = IN_ADDRESS.exec(location.hash) ?? [];
  if (location.hash.startsWith("#key=")) history.replaceState(null, "", location.pathname + location.search);
  return found ?? null;
};

const keptKey = (): string | null => {
  try {
    return sessionStorage.getItem(STORED);
  } catch {
    return null; // storage can be switched off
  }
};

const keep = (text: string | null): void => {
  try {
    if (text === null) sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, text);
  } catch {
    // It stays in memory.
  }
};

const given = keyFromAddress();
const current = signal<string | null>(given ?? keptKey());
const uses = signal(0);

/** The key, or null without one. */
export const key = computed(() => current.value);
/** Changes with every key, so that answers to one are never shown for another; it says nothing about the key. */
export const session = computed(() => uses.value);

const use = (text: string | null): void =>
  batch(() => {
    current.value = text;
    uses.value += 1;
  });

/** The key in some text; null when it cannot be one. */
export const keyIn = (text: string): string | null => (IS_KEY.test(text.trim()) ? text.trim() : null);

const refused = signal<string | null>(null);
const accepted = signal<string | null>(null);
const wasTurnedAway = signal(false);

/**
 * Uses a key from now on.
 * @param text one that `keyIn` found
 * @param isKept whether it outlives a reload of this tab
 */
export const useKey = (text: string, isKept: boolean): void => {
  keep(isKept ? text : null);
  wasTurnedAway.value = false;
  use(text);
};

/** Whether the service has said that the key in use, which it took before, is no longer valid. */
export const isRefused = computed(() => current.value !== null && refused.value === current.value);
/** Whether the key that the console began with was never valid: it goes on without one. */
export const isTurnedAway = computed(() => wasTurnedAway.value && current.value === null);

export const forgetKey = (): void => {
  keep(null);
  wasTurnedAway.value = false;
  use(null);
};

/** Notes that the service took the key in use. */
export const acceptKey = (): void => {
  accepted.value = current.value;
};

/** Notes that the service does not take the key in use: one that never worked is forgotten, one that did stays named. */
export const refuseKey = (): void => {
  if (current.value === null) return;
  if (accepted.value === current.value) {
    refused.value = current.value;
    return;
  }
  forgetKey();
  wasTurnedAway.value = true;
};

// A link with a key that is opened in a tab where the console already runs changes only what is behind `#`.
window.addEventListener("hashchange", () => {
  const found = keyFromAddress();
  if (found !== null) useKey(found, false);
});
