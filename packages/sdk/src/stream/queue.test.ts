import { describe, expect, test } from "vitest";
import { gap, heartbeat, NOON_MS, tick } from "../testing/frames.ts";
import { readFrame } from "./link.ts";
import { type NumberedFrame, Numbering } from "./numbering.ts";
import { type Item, Queue } from "./queue.ts";

const GOLD = "XAU-USD-SPOT";
const SILVER = "XAG-USD-SPOT";
const LATER_MS = NOON_MS + 1_000_000;

const drain = (queue: Queue): string[] => {
  const lines: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) lines.push(lineOf(item));
  return lines;
};
const lineOf = (item: Item): string => {
  if (item.kind === "note") return item.event.type === "status" ? item.event.status : item.event.type;
  const name = item.name.slice(0, 3);
  return item.kind === "value" ? `${name} ${item.seq}` : `${name} ${item.reason} ${item.fromSeq}-${item.toSeq}`;
};
const fill = (limit: number, ...wires: object[]): Queue => {
  const numbering = new Numbering();
  numbering.follow(GOLD);
  numbering.follow(SILVER);
  const queue = new Queue(limit);
  // It was created above as a numbered frame.
  for (const wire of wires) queue.push(numbering.take(readFrame(JSON.stringify(wire)) as NumberedFrame, NOON_MS));
  return queue;
};
const closed = (reason: string): Item => ({
  kind: "note",
  event: { type: "status", status: "closed", names: [], reason },
});

describe("a queue", () => {
  test("returns items in order while it is not full", () => {
    expect(drain(fill(4, tick(1), tick(1, SILVER), tick(2), heartbeat({ [GOLD]: 2 })))).toEqual([
      "XAU 1",
      "XAG 1",
      "XAU 2",
      "heartbeat",
    ]);
  });

  test("keeps the newest of each name once it is full, and reports what was left out", () => {
    const queue = fill(5, tick(1), tick(1, SILVER), tick(2), tick(2, SILVER), tick(3), tick(4));
    expect(drain(queue)).toEqual(["XAG slow_consumer 1-1", "XAG 2", "XAU slow_consumer 1-3", "XAU 4"]);
  });

  test("accounts for a number once, whether its tick or the price of the closed market under it is left out", () => {
    const close = (seq: number) => tick(seq, GOLD, LATER_MS, { snapshot: true, stale_reason: "market_closed" });
    const next = tick(3, GOLD, LATER_MS + 1_000);
    expect(drain(fill(9, tick(1), tick(2), close(2), next))).toEqual(["XAU 1", "XAU 2", "XAU 2", "XAU 3"]);
    expect(drain(fill(2, tick(1), tick(2), close(2)))).toEqual(["XAU slow_consumer 1-1", "XAU 2"]);
    expect(drain(fill(2, tick(1), tick(2), close(2), next))).toEqual(["XAU slow_consumer 1-2", "XAU 3"]);
    // The reader has the tick, and the price of the closed market still waits.
    const numbering = new Numbering();
    numbering.follow(GOLD);
    const queue = new Queue(1);
    const push = (wire: object) => queue.push(numbering.take(readFrame(JSON.stringify(wire)) as NumberedFrame, NOON_MS)); // numbered
    push(tick(2));
    queue.shift();
    push(close(2));
    push(next);
    expect(drain(queue)).toEqual(["XAU 3"]);
  });

  test("reports the time of what was left out", () => {
    const queue = fill(3, tick(1), tick(2), tick(3), tick(4));
    expect(queue.shift()).toMatchObject({ fromSeq: 1, toSeq: 3, sinceMs: NOON_MS + 1_000, untilMs: NOON_MS + 4_000 });
  });

  test("leaves a gap its reason where no tick was left out beside it", () => {
    const queue = fill(4, gap(1, 5, "expired"), tick(6), tick(1, SILVER), heartbeat({}), heartbeat({}));
    expect(drain(queue)).toEqual(["XAU expired 1-5", "XAU 6", "XAG 1", "heartbeat"]);
  });

  test("keeps what is missing after the newest tick", () => {
    const queue = fill(3, tick(1), tick(2), gap(3, 4, "missed"), gap(5, 6, "expired"));
    expect(drain(queue)).toEqual(["XAU slow_consumer 1-1", "XAU 2", "XAU missed 3-6"]);
  });

  test("keeps a restarted numbering", () => {
    const queue = fill(
      5,
      tick(8),
      tick(9),
      gap(1, 9, "reset"),
      tick(1, GOLD, LATER_MS),
      tick(2, GOLD, LATER_MS),
      tick(3, GOLD, LATER_MS),
    );
    expect(drain(queue)).toEqual(["XAU slow_consumer 8-9", "XAU reset 1-9", "XAU slow_consumer 1-2", "XAU 3"]);
  });

  test("never returns to a numbering above the reader's own", () => {
    const years = (seq: number, count: number) => tick(seq, GOLD, NOON_MS + count * LATER_MS);
    const up = Array.from({ length: 12 }, (_, at) => years(at + 1, 1));
    const queue = fill(
      18,
      tick(8),
      tick(9),
      gap(1, 9, "reset"),
      ...up,
      gap(11, 12, "reset"),
      years(11, 2),
      years(12, 2),
      years(13, 2),
    );
    expect(drain(queue)).toEqual(["XAU slow_consumer 8-12", "XAU 13"]);
  });

  test("keeps only the newest heartbeat and the newest status", () => {
    const queue = fill(2, heartbeat({}), heartbeat({}));
    queue.push([closed("a")]);
    queue.push([closed("b")]);
    expect(queue.size).toBe(2);
    expect(drain(queue)).toEqual(["heartbeat", "closed"]);
  });

  test("drops queued items of one name", () => {
    const queue = fill(10, tick(1), tick(1, SILVER), tick(2), heartbeat({}));
    queue.shift();
    queue.drop(GOLD);
    expect(drain(queue)).toEqual(["XAG 1", "heartbeat"]);
  });

  test("stays within its limit however much comes", () => {
    const queue = fill(50, ...Array.from({ length: 10_000 }, (_, at) => tick(at, at % 2 === 0 ? GOLD : SILVER)));
    expect(queue.size).toBeLessThanOrEqual(50);
    queue.clear();
    expect(drain(queue)).toEqual([]);
  });
});
