/** A sweep, and the calendar that names who is due. */
import { silentLog } from "@assay/live";
import { virtualTime } from "@assay/ports/virtual";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { Calendar, type Dated, SWEEP_MS, type Sweepable, sweeper } from "./sweeper.ts";

/** A connection that is due at once. */
const connectionThat = (look: () => void) => ({
  id: "one",
  dueMs: 0,
  page: null,
  step: vi.fn(look),
  relieve: () => undefined,
  abandon: vi.fn(),
});

describe("a sweep", () => {
  test("ends a connection whose step fails, and steps the others on its page", async () => {
    const faults: string[] = [];
    const clock = virtualTime(0);
    const calendar = new Calendar<Sweepable>(SWEEP_MS, 0);
    const failing = connectionThat(() => {
      throw new Error("broken");
    });
    const healthy = [connectionThat(() => undefined), connectionThat(() => undefined)];
    for (const connection of [failing, ...healthy]) calendar.note(connection);
    const sweeping = sweeper({
      calendar,
      backedUp: [],
      keys: { ended: () => [], gated: () => [] },
      clock,
      log: { ...silentLog, error: (_fields, message) => faults.push(message) },
    });
    await clock.advance(SWEEP_MS);
    sweeping.stop();
    expect(healthy.map(({ step }) => step.mock.calls.length)).toEqual([1, 1]);
    expect(failing.abandon).toHaveBeenCalledOnce();
    expect(faults).toEqual(["a stream failed; closing it"]);
  });
});

class Guest implements Dated {
  dueMs = Number.POSITIVE_INFINITY;
  page: number | null = null;
}

const GUESTS = 5;
/** Fractional milliseconds, uniformly distributed. */
const span = (max: number) => fc.noBias(fc.tuple(fc.nat(max), fc.nat(999))).map(([ms, thousandths]) => ms + thousandths / 1_000);
const instant = fc.oneof({ weight: 5, arbitrary: span(2_000) }, fc.constant(Number.POSITIVE_INFINITY));
const happening = fc.oneof(
  fc.record({ name: fc.constant("note" as const), guest: fc.nat(GUESTS - 1), inMs: instant }),
  fc.record({ name: fc.constant("forget" as const), guest: fc.nat(GUESTS - 1) }),
  fc.record({ name: fc.constant("pass" as const), ms: span(1_000) }),
);

describe("a calendar", () => {
  test("yields every due entry once, within a page of the instant, and none before it or removed", () => {
    let named = 0;
    fc.assert(
      fc.property(span(1e7), fc.array(happening, { maxLength: 80, size: "max" }), (startMs, happenings) => {
        const calendar = new Calendar<Guest>(250, startMs);
        const guests = Array.from({ length: GUESTS }, () => new Guest());
        const waiting = new Set<Guest>();
        let nowMs = startMs;
        for (const it of happenings) {
          if (it.name === "pass") {
            nowMs += it.ms;
            const due = [...calendar.take(nowMs)];
            named += due.length;
            expect(new Set(due).size).toBe(due.length);
            for (const guest of due) {
              expect(waiting.delete(guest)).toBe(true);
              expect(guest.dueMs).toBeLessThanOrEqual(nowMs);
            }
            for (const guest of waiting) expect(guest.dueMs).toBeGreaterThan(nowMs - 250);
            continue;
          }
          const guest = guests[it.guest];
          if (!guest) throw new Error("there is no such guest");
          if (it.name === "forget") {
            calendar.forget(guest);
            waiting.delete(guest);
          } else {
            guest.dueMs = nowMs + it.inMs;
            calendar.note(guest);
            if (guest.dueMs === Number.POSITIVE_INFINITY) waiting.delete(guest);
            else waiting.add(guest);
          }
        }
      }),
      { numRuns: 500 },
    );
    expect(named, "guests that were named").toBeGreaterThan(500);
  });

  test("lets the callback remove and add entries", () => {
    const calendar = new Calendar<Guest>(250, 0);
    const [first, second, third] = [new Guest(), new Guest(), new Guest()];
    for (const guest of [first, second]) {
      guest.dueMs = 100;
      calendar.note(guest);
    }
    const met: Guest[] = [];
    for (const guest of calendar.take(300)) {
      met.push(guest);
      calendar.forget(second);
      third.dueMs = 0;
      calendar.note(third);
    }
    expect(met).toEqual([first]);
    expect([...calendar.take(500)]).toEqual([third]);
  });
});
