import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  earlierEnd,
  GRACE_MS,
  KEY_EVENTS,
  KEY_STATES,
  type KeyEvent,
  type KeyLife,
  type KeyState,
  keyEnd,
  keyState,
  transition,
} from "./key-lifecycle.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 14);

/** A key in each state at NOW_MS. */
const IN_STATE: Record<KeyState, KeyLife> = {
  active: { revokedAtMs: null, expiresAtMs: null },
  grace: { revokedAtMs: NOW_MS + 3_600_000, expiresAtMs: null },
  revoked: { revokedAtMs: NOW_MS - 3_600_000, expiresAtMs: null },
};

interface Expected {
  readonly allowed: boolean;
  readonly next: KeyState;
  readonly revokedAtMs: number | null;
}

/** The table of docs/specs/api-key.md, "Transitions". */
const TABLE: Record<KeyState, Record<KeyEvent["kind"], Expected>> = {
  active: {
    mint: { allowed: true, next: "grace", revokedAtMs: NOW_MS + GRACE_MS },
    delete: { allowed: true, next: "revoked", revokedAtMs: NOW_MS },
    time: { allowed: true, next: "active", revokedAtMs: null },
  },
  grace: {
    mint: { allowed: false, next: "grace", revokedAtMs: NOW_MS + 3_600_000 },
    delete: { allowed: true, next: "revoked", revokedAtMs: NOW_MS },
    time: { allowed: true, next: "grace", revokedAtMs: NOW_MS + 3_600_000 },
  },
  revoked: {
    mint: { allowed: false, next: "revoked", revokedAtMs: NOW_MS - 3_600_000 },
    delete: { allowed: true, next: "revoked", revokedAtMs: NOW_MS - 3_600_000 },
    time: { allowed: true, next: "revoked", revokedAtMs: NOW_MS - 3_600_000 },
  },
};

describe.each(KEY_STATES)("a key that is %s", (state) => {
  test.each(KEY_EVENTS)("takes %s as the table says", (kind) => {
    const life = IN_STATE[state];
    expect(keyState(life, NOW_MS)).toBe(state);
    const step = transition(life, { kind, atMs: NOW_MS });
    const expected = TABLE[state][kind];
    expect(step).toEqual({ allowed: expected.allowed, life: { revokedAtMs: expected.revokedAtMs, expiresAtMs: null } });
    expect(keyState(step.life, NOW_MS)).toBe(expected.next);
  });

  test.each(KEY_EVENTS)("takes %s in the same way before its own end, which stays", (kind) => {
    const expiresAtMs = NOW_MS + 30 * GRACE_MS;
    const step = transition({ ...IN_STATE[state], expiresAtMs }, { kind, atMs: NOW_MS });
    const { allowed, revokedAtMs } = TABLE[state][kind];
    expect(step).toEqual({ allowed, life: { revokedAtMs, expiresAtMs } });
  });

  test("is revoked from its own end on, and mints no more", () => {
    const life = { ...IN_STATE[state], expiresAtMs: NOW_MS };
    expect(keyState(life, NOW_MS)).toBe("revoked");
    expect(transition(life, { kind: "mint", atMs: NOW_MS })).toEqual({ allowed: false, life });
  });
});

describe("time", () => {
  test("ends grace at the very millisecond of its date", () => {
    const life = { revokedAtMs: NOW_MS, expiresAtMs: null };
    expect(keyState(life, NOW_MS - 1)).toBe("grace");
    expect(keyState(life, NOW_MS)).toBe("revoked");
    expect(keyState(life, NOW_MS + 1)).toBe("revoked");
  });

  test("never ends an active key without an end", () => {
    expect(keyState({ revokedAtMs: null, expiresAtMs: null }, Number.MAX_SAFE_INTEGER)).toBe("active");
  });

  test("ends a key at the very millisecond of its own end, without a grace before it", () => {
    const life = { revokedAtMs: null, expiresAtMs: NOW_MS };
    expect(keyState(life, NOW_MS - 1)).toBe("active");
    expect(keyState(life, NOW_MS)).toBe("revoked");
    expect(keyEnd(life)).toBe(NOW_MS);
    expect(keyEnd({ revokedAtMs: NOW_MS - 5, expiresAtMs: NOW_MS })).toBe(NOW_MS - 5);
  });
});

const history = fc.array(
  fc.record({
    kind: fc.constantFrom(...KEY_EVENTS),
    afterMs: fc.oneof(fc.nat(1000), fc.nat(2 * GRACE_MS), fc.constant(GRACE_MS)),
  }),
  { maxLength: 12 },
);

/** When a key ends by itself, from its creation; null for never. */
const lasting = fc.option(fc.oneof(fc.nat(1000), fc.nat(4 * GRACE_MS)));

/** Plays a history and reports every step. */
const walk = (events: readonly { kind: KeyEvent["kind"]; afterMs: number }[], lastsMs: number | null = null) => {
  let life: KeyLife = { revokedAtMs: null, expiresAtMs: lastsMs === null ? null : NOW_MS + lastsMs };
  let atMs = NOW_MS;
  return events.map(({ kind, afterMs }) => {
    atMs += afterMs;
    const before = life;
    const step = transition(before, { kind, atMs });
    life = step.life;
    return { kind, atMs, before, step };
  });
};

describe("whatever happens", () => {
  test("I1: a key never goes back to an earlier state", () => {
    fc.assert(
      fc.property(history, lasting, (events, lastsMs) => {
        for (const { atMs, before, step } of walk(events, lastsMs)) {
          expect(KEY_STATES.indexOf(keyState(step.life, atMs))).toBeGreaterThanOrEqual(
            KEY_STATES.indexOf(keyState(before, atMs)),
          );
        }
      }),
    );
  });

  test("I2: an end, once set, is never postponed or removed", () => {
    fc.assert(
      fc.property(history, lasting, (events, lastsMs) => {
        for (const { before, step } of walk(events, lastsMs)) {
          expect(step.life.expiresAtMs).toBe(before.expiresAtMs);
          if (before.revokedAtMs === null) continue;
          expect(step.life.revokedAtMs).not.toBeNull();
          expect(step.life.revokedAtMs).toBeLessThanOrEqual(before.revokedAtMs);
        }
      }),
    );
  });

  test("I3: grace is at most 24 hours from the key's one mint", () => {
    fc.assert(
      fc.property(history, (events) => {
        const steps = walk(events);
        const mints = steps.filter(({ kind, step }) => kind === "mint" && step.allowed);
        expect(mints.length).toBeLessThanOrEqual(1);
        for (const { atMs } of mints) expect(steps.at(-1)?.step.life.revokedAtMs).toBeLessThanOrEqual(atMs + GRACE_MS);
      }),
    );
  });

  test("I4: after a delete the key is revoked from that moment on", () => {
    fc.assert(
      fc.property(history, (events) => {
        for (const { kind, atMs, step } of walk(events)) {
          if (kind === "delete") expect(keyState(step.life, atMs)).toBe("revoked");
        }
      }),
    );
  });

  test("I5: a key in grace or revoked is refused a mint, an active one is not", () => {
    fc.assert(
      fc.property(history, lasting, (events, lastsMs) => {
        for (const { kind, atMs, before, step } of walk(events, lastsMs)) {
          expect(step.allowed).toBe(!(kind === "mint" && keyState(before, atMs) !== "active"));
        }
      }),
    );
  });

  test("ends announced out of order give the same end", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat()), { maxLength: 6 }), (ends) => {
        const inOrder = ends.reduce(earlierEnd, null);
        expect(ends.toReversed().reduce(earlierEnd, null)).toBe(inOrder);
        expect(inOrder).toBe(ends.every((end) => end === null) ? null : Math.min(...ends.filter((end) => end !== null)));
      }),
    );
  });
});
