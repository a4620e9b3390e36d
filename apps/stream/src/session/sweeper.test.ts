/** A failing connection does not prevent checking the others. */
import { silentLog } from "@assay/live";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Calendar } from "./calendar.ts";
import type { Connection } from "./connection.ts";
import { SWEEP_MS, sweeper } from "./sweeper.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection that is due at once, with only what a sweep uses. */
const connectionThat = (look: () => void) => {
  const connection = { id: "one", dueMs: 0, page: null as number | null, step: vi.fn(look), abandon: vi.fn() };
  return connection as typeof connection & Connection; // a sweep uses nothing else
};

test("ends a connection whose step fails, and steps the others on its page", async () => {
  const faults: string[] = [];
  const nowMs = 10 * SWEEP_MS;
  const calendar = new Calendar<Connection>(SWEEP_MS, 0);
  const failing = connectionThat(() => {
    throw new Error("broken");
  });
  const healthy = [connectionThat(() => undefined), connectionThat(() => undefined)];
  for (const connection of [failing, ...healthy]) calendar.note(connection);
  const sweeping = sweeper({
    calendar,
    backedUp: new Set(),
    keys: { ended: () => [] } as never, // no key ends here
    clock: () => nowMs,
    elapsed: () => nowMs,
    log: { ...silentLog, error: (_fields, message) => faults.push(message) },
  });
  vi.advanceTimersByTime(SWEEP_MS);
  await vi.waitFor(() => expect(healthy.every(({ step }) => step.mock.calls.length === 1)).toBe(true));
  sweeping.stop();
  expect(failing.abandon).toHaveBeenCalledOnce();
  expect(faults).toEqual(["a stream failed; closing it"]);
});
