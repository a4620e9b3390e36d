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

/**
 * Uses a key from now on.
 * @param isKept whether it outlives a reload of this tab
 * @returns false for text that cannot be a key
 */
export const useKey = (text: string, isKept: boolean): boolean => {
  const trimmed = text.trim();
  if (!IS_KEY.test(trimmed)) return false;
  keep(isKept ? trimmed : null);
  use(trimmed);
  return true;
};

const refused = signal<string | null>(null);

/** Whether the service has said that the key in use is not valid. */
export const isRefused = computed(() => current.value !== null && refused.value === current.value);

/** Notes that the service does not take the key in use. */
export const refuseKey = (): void => {
  refused.value = current.value;
};

/** Forgets the key. */
export const forgetKey = (): void => {
  keep(null);
  use(null);
};

// A link with a key that is opened in a tab where the console already runs changes only what is behind `#`.
window.addEventListener("hashchange", () => {
  const found = keyFromAddress();
  if (found !== null) useKey(found, false);
});
