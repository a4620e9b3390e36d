/** The lifecycle of a key: active, in grace, revoked. Its events and transitions, without a store or a clock. */

/** How long the calling key keeps working after a mint. */
export const GRACE_MS = 24 * 3_600_000;

/** The states, in the only order a key passes through them. */
export const KEY_STATES = ["active", "grace", "revoked"] as const;
/** A key's state at an instant. Active and grace authenticate. */
export type KeyState = (typeof KEY_STATES)[number];

/** The only stored state of a key's lifecycle. */
export interface KeyLife {
  /** When it stops or stopped authenticating, epoch milliseconds; null for never. */
  readonly revokedAtMs: number | null;
}

/** The events: its bearer mints another key, an owner of its organisation deletes it, or time passes. */
export const KEY_EVENTS = ["mint", "delete", "time"] as const;
/** An event and its time. */
export interface KeyEvent {
  readonly kind: (typeof KEY_EVENTS)[number];
  readonly atMs: number;
}

/** The result of an event. */
export interface KeyStep {
  /** Whether it was allowed: a revoked key cannot mint. */
  readonly allowed: boolean;
  readonly life: KeyLife;
}

/** The state of a key at an instant. It is revoked from the millisecond `revokedAtMs` on, inclusive. */
export const keyState = ({ revokedAtMs }: KeyLife, nowMs: number): KeyState => {
  if (revokedAtMs === null) return "active";
  return nowMs < revokedAtMs ? "grace" : "revoked";
};

/** The earlier of two ends; a key's end is only ever brought forward. */
export const earlierEnd = (left: number | null, right: number | null): number | null => {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
};

/** Applies an event to a key. */
export const transition = (life: KeyLife, { kind, atMs }: KeyEvent): KeyStep => {
  if (kind === "time") return { allowed: true, life };
  if (kind === "mint" && keyState(life, atMs) === "revoked") return { allowed: false, life };
  const endMs = kind === "mint" ? atMs + GRACE_MS : atMs;
  return { allowed: true, life: { revokedAtMs: earlierEnd(life.revokedAtMs, endMs) } };
};
