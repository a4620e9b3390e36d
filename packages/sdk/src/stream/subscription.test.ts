import fc from "fast-check";
import { expect, test } from "vitest";
import { Stage } from "../testing/stage.ts";
import { seenOf, Witness } from "../testing/witness.ts";
import { Assay } from "./index.ts";
import { subscriptionSettings } from "./options.ts";
import { Subscription } from "./subscription.ts";

const NAMES = ["XAU-USD-SPOT", "XAG-USD-SPOT"] as const;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const { bars } = new Assay({ apiKey: null, baseUrl: "http://127.0.0.1:1" });

const begin = (ringLength: number, maxQueued: number) => {
  const stage = new Stage(NAMES, ringLength);
  const { surroundings, links } = stage;
  const settings = subscriptionSettings({ symbols: NAMES, maxQueued });
  const subscription = new Subscription({ links, connectWithinMs: 30_000, bars, logger: quiet, surroundings }, settings);
  const witness = new Witness();
  let waiting: ReturnType<Subscription["next"]> | null = null;
  /** Reads up to the given number of events. */
  const read = async (most: number): Promise<number> => {
    for (let count = 0; count < most; count += 1) {
      waiting ??= subscription.next();
      const none = new Promise<null>((resolve) => setImmediate(() => resolve(null)));
      const result = await Promise.race([waiting, none]);
      if (result === null) return count;
      waiting = null;
      if (!result.done) witness.see(seenOf(result.value));
    }
    return most;
  };
  return { stage, subscription, witness, read };
};

type Move = (stage: Stage) => void;
const moves: readonly (readonly [number, string, Move])[] = [
  [8, "publish", (stage) => stage.publish(NAMES[0])],
  [4, "publish silver", (stage) => stage.publish(NAMES[1])],
  [4, "pass a moment", (stage) => stage.pass(1_000)],
  [2, "pass a heartbeat", (stage) => stage.pass(15_000)],
  [1, "pass two minutes", (stage) => stage.pass(120_000)],
  [2, "lose", (stage) => stage.lose()],
  [2, "repeat", (stage) => stage.repeat()],
  [2, "shuffle", (stage) => stage.shuffle()],
  [2, "cut", (stage) => stage.cut()],
  [1, "freeze", (stage) => stage.freeze()],
  [1, "restore", (stage) => stage.restore()],
];
const move = fc.oneof(...moves.map(([weight, name]) => ({ weight, arbitrary: fc.constant(name) })));
const life = fc.array(fc.tuple(move, fc.integer({ min: 0, max: 4 })), { maxLength: 120, size: "max" });

test("whatever becomes of frames and connections, numbers rise, skipped ones were reported, and in the end nothing is missing", async () => {
  let reconnects = 0;
  let gaps = 0;
  let resets = 0;
  await fc.assert(
    fc.asyncProperty(life, fc.constantFrom(3, 1_000), fc.constantFrom(4, 4_096), async (steps, ringLength, maxQueued) => {
      const { stage, subscription, witness, read } = begin(ringLength, maxQueued);
      await read(1);
      for (const [name, reads] of steps) {
        moves.find(([, other]) => other === name)?.[2](stage);
        await read(reads);
      }
      // Undisturbed, it detects dead connections, reconnects, and catches up; where the numbering restarted, with the next tick.
      for (let at = 0; at < 8; at += 1) {
        stage.pass(60_000);
        if (at === 6 && steps.some(([name]) => name === "restore")) for (const name of NAMES) stage.publish(name);
        while ((await read(100)) === 100);
      }
      expect(witness.faults).toEqual([]);
      for (const name of NAMES) expect(witness.accounted.get(name), name).toBe(stage.seqs.get(name));
      reconnects += stage.opened - 1;
      gaps += witness.gaps.length;
      resets += witness.gaps.filter(({ reason }) => reason === "reset").length;
      await subscription.return();
    }),
    { numRuns: 150 },
  );
  expect(reconnects).toBeGreaterThan(100);
  expect(gaps).toBeGreaterThan(100);
  expect(resets).toBeGreaterThan(20);
});

test("a connection that loses nothing for good loses nothing", async () => {
  const { stage, subscription, witness, read } = begin(1_000, 4_096);
  await read(1);
  for (let at = 0; at < 200; at += 1) {
    stage.publish(NAMES[0]);
    if (at % 7 === 0) stage.pass(2_000);
    if (at % 20 === 0) stage.cut();
    if (at % 50 === 0) stage.freeze();
    await read(3);
  }
  stage.pass(120_000);
  while ((await read(100)) === 100);
  const last = stage.seqs.get(NAMES[0]) ?? 0;
  expect(last).toBe(201);
  const [first = 0] = witness.delivered.get(NAMES[0]) ?? [];
  expect(witness.delivered.get(NAMES[0])).toEqual(Array.from({ length: last - first + 1 }, (_, at) => first + at));
  expect(witness.gaps).toEqual([]);
  await subscription.return();
});
