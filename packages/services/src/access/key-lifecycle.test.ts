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
  keyState,
  transition,
} from "./key-lifecycle.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 14);

/** A key in each state at NOW_MS. */
const IN_STATE: Record<KeyState, KeyLife> = {
  active: { revokedAtMs: null },
  grace: { revokedAtMs: NOW_MS + 3_600_000 },
  revoked: { revokedAtMs: NOW_MS - 3_600_000 },
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
    mint: { allowed: true, next: "grace", revokedAtMs: NOW_MS + 3_600_000 },
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
    expect(step).toEqual({ allowed: expected.allowed, life: { revokedAtMs: expected.revokedAtMs } });
    expect(keyState(step.life, NOW_MS)).toBe(expected.next);
  });
});

describe("time", () => {
  test("ends grace at the very millisecond of its date", () => {
    const life = { revokedAtMs: NOW_MS };
    expect(keyState(life, NOW_MS - 1)).toBe("grace");
    expect(keyState(life, NOW_MS)).toBe("revoked");
    expect(keyState(life, NOW_MS + 1)).toBe("revoked");
  });

  test("never ends an active key", () => {
    expect(keyState({ revokedAtMs: null }, Number.MAX_SAFE_INTEGER)).toBe("active");
  });
});

const history = fc.array(
  fc.record({
    kind: fc.constantFrom(...KEY_EVENTS),
    afterMs: fc.oneof(fc.nat(1000), fc.nat(2 * GRACE_MS), fc.constant(GRACE_MS)),
  }),
  { maxLength: 12 },
);

/** Plays a history and reports every step. */
const walk = (events: readonly { kind: KeyEvent["kind"]; afterMs: number }[]) => {
  let life: KeyLife = { revokedAtMs: null };
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
      fc.property(history, (events) => {
        for (const { atMs, before, step } of walk(events)) {
          expect(KEY_STATES.indexOf(keyState(step.life, atMs))).toBeGreaterThanOrEqual(
            KEY_STATES.indexOf(keyState(before, atMs)),
          );
        }
      }),
    );
  });

  test("I2: an end, once set, is never postponed or removed", () => {
    fc.assert(
      fc.property(history, (events) => {
        for (const { before, step } of walk(events)) {
          if (before.revokedAtMs === null) continue;
          expect(step.life.revokedAtMs).not.toBeNull();
          expect(step.life.revokedAtMs).toBeLessThanOrEqual(before.revokedAtMs);
        }
      }),
    );
  });

  test("I3: grace is at most 24 hours from the first mint", () => {
    fc.assert(
      fc.property(history, (events) => {
        const steps = walk(events);
        const firstMint = steps.find(({ kind }) => kind === "mint");
        if (firstMint) expect(steps.at(-1)?.step.life.revokedAtMs).toBeLessThanOrEqual(firstMint.atMs + GRACE_MS);
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

  test("I5: only a revoked key is refused a mint", () => {
    fc.assert(
      fc.property(history, (events) => {
        for (const { kind, atMs, before, step } of walk(events)) {
          expect(step.allowed).toBe(!(kind === "mint" && keyState(before, atMs) === "revoked"));
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
