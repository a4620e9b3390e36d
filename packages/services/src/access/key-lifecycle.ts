/** The life of a key: active, in grace, revoked. What may happen to it and what becomes of it then, without a store or a clock. */

/** How long the calling key lives on after a mint. */
export const GRACE_MS = 24 * 3_600_000;

/** The states, in the only order a key passes through them. */
export const KEY_STATES = ["active", "grace", "revoked"] as const;
/** Where a key stands at a moment. Active and grace authenticate. */
export type KeyState = (typeof KEY_STATES)[number];

/** The one thing a key's life hangs on. */
export interface KeyLife {
  /** When it stops or stopped authenticating, epoch milliseconds; null for never. */
  readonly revokedAtMs: number | null;
}

/** What happens to a key: its bearer mints another, an owner of its organisation deletes it, or time passes. */
export const KEY_EVENTS = ["mint", "delete", "time"] as const;
/** Something that happens to a key, and when. */
export interface KeyEvent {
  readonly kind: (typeof KEY_EVENTS)[number];
  readonly atMs: number;
}

/** What an event came to. */
export interface KeyStep {
  /** Whether it was let happen: a revoked key mints nothing. */
  readonly allowed: boolean;
  readonly life: KeyLife;
}

/** The state of a key at a moment. It is revoked from the very millisecond of `revokedAtMs` on. */
export const keyState = ({ revokedAtMs }: KeyLife, nowMs: number): KeyState => {
  if (revokedAtMs === null) return "active";
  return nowMs < revokedAtMs ? "grace" : "revoked";
};

/** The earlier of two ends; a key's end is only ever brought forward. */
export const earlierEnd = (left: number | null, right: number | null): number | null => {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
};

/** What becomes of a key. */
export const transition = (life: KeyLife, { kind, atMs }: KeyEvent): KeyStep => {
  if (kind === "time") return { allowed: true, life };
  if (kind === "mint" && keyState(life, atMs) === "revoked") return { allowed: false, life };
  const endMs = kind === "mint" ? atMs + GRACE_MS : atMs;
  return { allowed: true, life: { revokedAtMs: earlierEnd(life.revokedAtMs, endMs) } };
};
