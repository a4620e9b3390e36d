import { expect, test } from "vitest";
import { tick } from "../testing/frames.ts";
import { Connection } from "./connection.ts";
import { type LinkEvents, readFrame } from "./link.ts";

const frame = readFrame(JSON.stringify(tick(1)));
if (frame === null) throw new Error("a tick is a frame");

test("events of a connection that was left are ignored, and end nothing", () => {
  const wires: LinkEvents[] = [];
  const seen: string[] = [];
  const timers: (() => void)[] = [];
  let nowMs = 0;
  const connection = new Connection(
    (events) => {
      wires.push(events);
      return { follow: () => undefined, close: () => seen.push("close"), drop: () => seen.push("drop") };
    },
    {
      connecting: (attempt) => seen.push(`connecting ${attempt}`),
      opened: () => seen.push("opened"),
      frame: ({ type }) => seen.push(type),
      waiting: (attempt) => seen.push(`waiting ${attempt}`),
      failed: (error) => seen.push(error.message),
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
  const before = [...seen];
  expect(before).toEqual(["connecting 0", "opened", "tick", "drop", "waiting 1", "connecting 1"]);
  wires[0]?.opened({ heartbeatMs: 15_000, serverMs: null });
  wires[0]?.frame(frame);
  wires[0]?.ended(loss);
  wires[0]?.ended({ name: "refused", error: new Error("late") });
  expect(seen).toEqual(before);
  wires[1]?.opened({ heartbeatMs: 15_000, serverMs: null });
  connection.stop();
  wires[1]?.frame(frame);
  expect(seen.slice(before.length)).toEqual(["opened", "close"]);
});
