/** The lifecycle of a key: active, in grace, revoked. Its events and transitions, without a store or a clock. */
import { type FailWith, shownSecond } from "@assay/contract";

/** How long the calling key keeps working after a mint. */
export const GRACE_MS = 24 * 3_600_000;

/** The states, in the only order a key passes through them. */
export const KEY_STATES = ["active", "grace", "revoked"] as const;
/** A key's state at an instant. Active and grace authenticate; only active changes anything. */
export type KeyState = (typeof KEY_STATES)[number];

/** The stored state of a key's lifecycle, in epoch milliseconds, at the whole seconds that are shown. */
export interface KeyLife {
  /** When it was revoked, or will be: then it is in grace. Null for never. */
  readonly revokedAtMs: number | null;
  /** When it ends by itself, as the operator set when it was minted; until then it is active. Null for never. */
  readonly expiresAtMs: number | null;
}

/** The events: its bearer mints another key, an owner of its organisation deletes it, or time passes. */
export const KEY_EVENTS = ["mint", "delete", "time"] as const;
export interface KeyEvent {
  readonly kind: (typeof KEY_EVENTS)[number];
  readonly atMs: number;
}

export interface KeyStep {
  /** Whether it was allowed: only an active key mints. */
  readonly allowed: boolean;
  readonly life: KeyLife;
}

/** The earlier of two ends; a key's end is only ever brought forward. */
export const earlierEnd = (left: number | null, right: number | null): number | null => {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
};

/** When a key stops or stopped authenticating; null for never. */
export const keyEnd = ({ revokedAtMs, expiresAtMs }: KeyLife): number | null => earlierEnd(revokedAtMs, expiresAtMs);

/** The state of a key at an instant. It is revoked from the very second of its end on. */
export const keyState = (life: KeyLife, nowMs: number): KeyState => {
  const endMs = keyEnd(life);
  if (endMs !== null && endMs <= nowMs) return "revoked";
  return life.revokedAtMs === null ? "active" : "grace";
};

/** Refuses a key in grace, which changes nothing. */
export const refuseGrace = (key: KeyLife | null, nowMs: number, fail: FailWith<"key_in_grace">): void => {
  if (key !== null && keyState(key, nowMs) === "grace") fail("key_in_grace");
};

export const transition = (life: KeyLife, { kind, atMs }: KeyEvent): KeyStep => {
  if (kind === "time") return { allowed: true, life };
  if (kind === "mint" && keyState(life, atMs) !== "active") return { allowed: false, life };
  const endMs = shownSecond(kind === "mint" ? atMs + GRACE_MS : atMs);
  return { allowed: true, life: { ...life, revokedAtMs: earlierEnd(life.revokedAtMs, endMs) } };
};
