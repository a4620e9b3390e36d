import { expect, test } from "vitest";
import { tick } from "../testing/frames.ts";
import { Connection } from "./connection.ts";
import type { LinkEvents } from "./link.ts";
import { readFrame } from "./read-frame.ts";

const frame = readFrame(JSON.stringify(tick(1)));
if (frame === null) throw new Error("a tick is a frame");

test("events of a connection that was left are ignored, and end nothing", () => {
  const wires: LinkEvents[] = [];
  const told: string[] = [];
  const timers: (() => void)[] = [];
  let nowMs = 0;
  const connection = new Connection(
    (events) => {
      wires.push(events);
      return { follow: () => undefined, close: () => told.push("close"), drop: () => told.push("drop") };
    },
    {
      connecting: (attempt) => told.push(`connecting ${attempt}`),
      opened: () => told.push("opened"),
      frame: ({ type }) => told.push(type),
      waiting: (attempt) => told.push(`waiting ${attempt}`),
      failed: (error) => told.push(error.message),
    },
    { connectWithinMs: 1_000, maxReconnects: 5 },
    {
      nowMs: () => nowMs,
      elapsedMs: () => nowMs,
      random: () => 0.5,
      after: (_, call) => {
        timers.push(call);
        return () => timers.splice(timers.indexOf(call), 1);
      },
    },
  );
  const loss = { name: "lost", loss: { reason: "cut", close: 1006, waitMs: null } } as const;
  connection.start();
  wires[0]?.opened({ heartbeatMs: 15_000, serverMs: null });
  wires[0]?.frame(frame);
  wires[0]?.ended(loss);
  nowMs += 1_000;
  timers.at(-1)?.();
  const before = [...told];
  expect(before).toEqual(["connecting 0", "opened", "tick", "drop", "waiting 1", "connecting 1"]);
  wires[0]?.opened({ heartbeatMs: 15_000, serverMs: null });
  wires[0]?.frame(frame);
  wires[0]?.ended(loss);
  wires[0]?.ended({ name: "refused", error: new Error("late") });
  expect(told).toEqual(before);
  wires[1]?.opened({ heartbeatMs: 15_000, serverMs: null });
  connection.stop();
  wires[1]?.frame(frame);
  expect(told.slice(before.length)).toEqual(["opened", "close"]);
});
