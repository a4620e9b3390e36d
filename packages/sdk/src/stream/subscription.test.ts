import fc from "fast-check";
import { expect, test } from "vitest";
import { heartbeat, NOON_MS, tick } from "../testing/frames.ts";
import { seenOf, Witness } from "../testing/reader.ts";
import { Stage } from "../testing/stage.ts";
import { GOLD, type Handlers, openStream, type Peer, SILVER } from "../testing/stream-service.ts";
import { Assay, type ClientOptions, type WebSocketOptions } from "./index.ts";
import { subscriptionSettings } from "./options.ts";
import { Subscription } from "./subscription.ts";

const open = (onPeer: NonNullable<Handlers["onPeer"]>, options: Partial<WebSocketOptions> = {}, client: ClientOptions = {}) =>
  openStream({ onPeer }, { symbols: [GOLD], ...options }, client);

const NAMES = ["XAU-USD-SPOT", "XAG-USD-SPOT"] as const;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const { bars } = new Assay({ apiKey: null, baseUrl: "http://127.0.0.1:1" });

const begin = (ringLength: number, maxQueued: number) => {
  const stage = new Stage(NAMES, ringLength);
  const { clock, links } = stage;
  const settings = subscriptionSettings({ symbols: NAMES, maxQueued });
  const subscription = new Subscription({ links, connectWithinMs: 30_000, bars, logger: quiet, clock }, settings);
  const witness = new Witness();
  let waiting: ReturnType<Subscription["next"]> | null = null;
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

test("names are added and removed on the open connection, and requested again on the next", async () => {
  const { service, subscription, reader } = await open((peer, index) => {
    peer.welcome();
    peer.send(tick(41));
    if (index > 0) peer.send(tick(7, SILVER));
  });
  await reader.next("tick");
  subscription.add([SILVER, "physical:AE", GOLD]);
  subscription.remove([GOLD]);
  const [peer] = service.peers;
  await expect
    .poll(() => peer?.frames.slice(2))
    .toEqual([
      { action: "unsubscribe", symbols: [GOLD], channels: [] },
      { action: "subscribe", symbols: [SILVER], channels: ["physical:AE"], resume: {} },
    ]);
  expect(subscription.names).toEqual([SILVER, "physical:AE"]);
  peer?.send(tick(42), tick(5, SILVER));
  expect(await reader.next("tick")).toMatchObject({ symbol: SILVER, seq: 5 });
  peer?.socket.terminate();
  await reader.next("tick", { symbol: SILVER, seq: 7 });
  expect(service.peers[1]?.frames[1]).toEqual({
    action: "subscribe",
    symbols: [SILVER],
    channels: ["physical:AE"],
    resume: { [SILVER]: 5 },
  });
  expect(reader.witness.delivered.get(GOLD)).toEqual([41]);
});

test("a name that is removed and added again starts over", async () => {
  const { service, subscription, reader } = await open((peer) => {
    peer.welcome();
    peer.send(tick(41), tick(42));
  });
  await reader.next("tick", { seq: 41 });
  subscription.remove([GOLD]);
  subscription.add([GOLD]);
  const [peer] = service.peers;
  await expect.poll(() => peer?.frames.slice(2).map(({ action }) => action)).toEqual(["unsubscribe", "subscribe"]);
  reader.witness.forget(GOLD);
  peer?.send(tick(50, GOLD, NOON_MS, { snapshot: true }));
  expect(await reader.next("tick")).toMatchObject({ seq: 50, snapshot: true });
});

test("however often names change, the service's limit of frames is kept, and the last change counts", async () => {
  const { service, subscription, reader } = await open((peer) => peer.welcome());
  await reader.next("status", { status: "open" });
  for (let at = 0; at < 500; at += 1) {
    if (at % 2 === 0) subscription.add([SILVER]);
    else subscription.remove([SILVER]);
  }
  subscription.add(["HG-USD-SPOT"]);
  const [peer] = service.peers;
  await expect.poll(() => peer?.frames.at(-1), { timeout: 5_000 }).toMatchObject({ symbols: ["HG-USD-SPOT"] });
  expect(peer?.frames.length).toBeLessThanOrEqual(6);
});

test("names the service rejects are reported, and the others continue; with none left it ends", async () => {
  const rejecting = (followed: string[]) => (peer: Peer) => {
    peer.welcome();
    const rejected = [{ name: SILVER, code: "plan_gated" }];
    peer.send({ type: "subscribed", symbols: followed, channels: [], rejected });
    if (followed.length > 0) peer.send(tick(1));
  };
  const some = await open(rejecting([GOLD]), { symbols: [GOLD, SILVER] });
  await some.reader.next("tick");
  expect(some.reader.events.at(-2)).toMatchObject({
    status: "open",
    names: [GOLD],
    rejected: [{ name: SILVER, code: "plan_gated" }],
  });
  expect(some.subscription.names).toEqual([GOLD]);
  const none = await open(rejecting([]), { symbols: [SILVER] });
  expect(await none.reader.end()).toMatchObject({
    name: "StreamRejectedError",
    rejected: [{ name: SILVER, code: "plan_gated" }],
  });
});

test("a slow reader gets the newest of each name after a gap, and little is kept for it", async () => {
  let arrived = (): void => undefined;
  const received = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const { reader } = await open(
    (peer) => {
      peer.welcome();
      for (let seq = 1; seq <= 5_000; seq += 1) peer.send(tick(seq), tick(seq, SILVER));
      peer.send(heartbeat({ [GOLD]: 5_000, [SILVER]: 5_000 }));
      // Frames are processed in order: the pong shows that all before it were.
      peer.socket.once("pong", arrived);
      peer.socket.ping();
    },
    { symbols: [GOLD, SILVER], maxQueued: 100 },
  );
  await reader.next("status", { status: "connecting" });
  // Nothing is read while all of it arrives.
  await received;
  await reader.next("heartbeat");
  expect(reader.witness.gaps.every(({ reason }) => reason === "slow_consumer")).toBe(true);
  expect(reader.events.length).toBeLessThanOrEqual(110);
  for (const name of [GOLD, SILVER]) expect(reader.witness.accounted.get(name)).toBe(5_000);
});

test("a loss that was logged is followed by a line once the stream is open again; a short one is not logged", async () => {
  for (const losses of [2, 3]) {
    const lines: string[] = [];
    const logger = { ...quiet, warn: (line: string) => void lines.push(line) };
    const answer = (peer: Peer, index: number): void => (index < losses ? peer.socket.close(1012) : peer.welcome());
    const { reader } = await open(answer, {}, { logger, logLevel: "warn" });
    await reader.next("status", { status: "open" });
    const noted = [
      expect.stringContaining(`The stream of ${GOLD} was lost; attempt 3 in`),
      `The stream of ${GOLD} is open again`,
    ];
    expect(lines).toEqual(losses < 3 ? [] : noted);
  }
});
