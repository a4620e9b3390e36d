/** The hub under every order of joining, changing, leaving, lagging and publishing, also during a flush. */
import type { StreamName } from "@assay/contract";
import { machineTime } from "@assay/ports";
import { FRIDAY_MS, makeTick } from "@assay/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WS } from "./codec.ts";
import { Entry } from "./entry.ts";
import type { Ahead, Group, Member, Pending } from "./group.ts";
import { Hub } from "./hub.ts";

const NAMES = ["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT"] as const;
type Symbol = (typeof NAMES)[number];

/** The text frames in some bytes, parsed. */
const framesIn = (bytes: Buffer): Record<string, unknown>[] => {
  const frames: Record<string, unknown>[] = [];
  for (let at = 0; at < bytes.length; ) {
    const short = (bytes[at + 1] ?? 0) & 0x7f;
    const [head, length] = short === 126 ? [4, bytes.readUInt16BE(at + 2)] : [2, short];
    frames.push(JSON.parse(bytes.toString("utf8", at + head, at + head + length)));
    at += head + length;
  }
  return frames;
};

/** A client that checks what it receives: for each followed name, every number once and in order, or reported in a gap. */
class Client implements Member {
  flushed = 0;
  group: Group | null = null;
  pending: Map<StreamName, Pending> | null = null;
  ahead: Map<StreamName, Ahead> | null = null;
  isStuck = false;
  names: ReadonlySet<Symbol> = new Set();
  readonly at = new Map<string, number>();
  ticks = 0;
  gaps = 0;
  writes = 0;

  isIdle(): boolean {
    return !this.isStuck;
  }
  write(bytes: Buffer): void {
    this.writes += 1;
    for (const frame of framesIn(bytes)) this.take(frame as never); // the hub's own frames
  }
  onBlocked(): void {
    if (!this.isStuck) throw new Error("an idle client was held back");
  }
  take(frame: { type: string; symbol: Symbol; seq: number; from_seq: number; to_seq: number; snapshot?: true }): void {
    if (!this.names.has(frame.symbol)) throw new Error(`got ${frame.symbol}, which is not followed`);
    const last = this.at.get(frame.symbol);
    const [from, to] = frame.type === "gap" ? [frame.from_seq, frame.to_seq] : [frame.seq, frame.seq];
    if (last !== undefined && from !== last + 1) throw new Error(`${frame.symbol}: ${from} after ${last}`);
    if (to < from) throw new Error(`${frame.symbol}: a gap from ${from} to ${to}`);
    this.at.set(frame.symbol, to);
    if (frame.type === "gap") this.gaps += 1;
    else this.ticks += 1;
  }
}

const tick = (name: Symbol, seq: number) => Entry.ofTick(name, makeTick(seq, { instrument: name }));

const setup = (count: number) => {
  const hub = new Hub(300_000, machineTime.turn);
  const seqs = new Map<Symbol, number>(NAMES.map((name) => [name, 0]));
  const next = (name: Symbol): Entry => {
    const seq = (seqs.get(name) ?? 0) + 1;
    seqs.set(name, seq);
    return tick(name, seq);
  };
  const clients = Array.from({ length: count }, () => new Client());
  const follow = (client: Client, names: ReadonlySet<Symbol>): void => {
    const added = [...names].filter((name) => !client.names.has(name));
    // What was pending under the old set arrives during the change, so both are allowed until then.
    client.names = new Set([...client.names, ...names]);
    hub.follow(client, WS, names);
    for (const name of client.names) if (!names.has(name)) client.at.delete(name);
    client.names = names;
    for (const name of added) {
      client.at.delete(name);
      begin(client, name);
    }
  };
  /** What a name begins with, after a number if the client names one. */
  const begin = (client: Client, name: Symbol, seq?: number): void => {
    const begun = hub.begin(client, WS, name, { seq, nowMs: FRIDAY_MS, maxBytes: Number.POSITIVE_INFINITY });
    for (const bytes of begun) client.write(bytes);
  };
  /** Names a number again for a name the client follows. */
  const resume = (client: Client, name: Symbol, seq: number): void => {
    hub.follow(client, WS, client.names);
    client.at.set(name, seq);
    begin(client, name, seq);
  };
  return { hub, seqs, next, clients, follow, resume };
};

const sets = fc.subarray([...NAMES]).map((names) => new Set<Symbol>(names));
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant("publish" as const),
      names: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("follow" as const), client: fc.nat(119), names: sets }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("resume" as const),
      client: fc.nat(119),
      name: fc.constantFrom(...NAMES),
      back: fc.nat(5),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("leave" as const), client: fc.nat(119) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("stick" as const), client: fc.nat(119) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("unstick" as const), client: fc.nat(119) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("turn" as const) }) },
);

describe("the hub", () => {
  test("gives every client every number of what it follows, once and in order or as a gap, in any order of events", async () => {
    const seen = { ticks: 0, gaps: 0, turns: 0, resumes: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
        const { hub, seqs, next, clients, follow, resume } = setup(120);
        // Most follow something from the start, so that a flush takes several turns of the event loop.
        for (const [at, client] of clients.entries()) follow(client, new Set(NAMES.slice(0, (at % 3) + 1)));
        for (const each of steps) {
          if (each.does === "publish") hub.publish(each.names.map(next));
          else if (each.does === "turn") {
            seen.turns += 1;
            await new Promise(setImmediate);
          } else {
            const client = clients[each.client];
            if (!client) continue;
            if (each.does === "follow") follow(client, each.names);
            else if (each.does === "resume") {
              const seq = (seqs.get(each.name) ?? 0) - each.back;
              if (seq < 0 || !client.names.has(each.name)) continue;
              resume(client, each.name, seq);
              seen.resumes += 1;
            } else if (each.does === "leave") {
              hub.leave(client);
              client.names = new Set();
              client.at.clear();
            } else {
              client.isStuck = each.does === "stick";
              if (!client.isStuck) hub.catchUp(client);
            }
          }
        }
        await hub.settled();
        for (const client of clients) {
          client.isStuck = false;
          hub.catchUp(client);
          for (const name of client.names) {
            const newest = seqs.get(name) ?? 0;
            expect(client.at.get(name) ?? 0, `${name} at the end`).toBe(newest);
            expect(hub.standing(client)[name] ?? 0).toBe(newest);
          }
          seen.ticks += client.ticks;
          seen.gaps += client.gaps;
        }
      }),
      { numRuns: 150 },
    );
    expect(seen.ticks).toBeGreaterThan(10_000);
    expect(seen.gaps).toBeGreaterThan(20);
    expect(seen.resumes).toBeGreaterThan(100);
  });

  test("writes once per client and flush, however many ticks are in it, the same bytes to all of a set", async () => {
    const { hub, next, clients, follow } = setup(3);
    const written: Buffer[] = [];
    for (const client of clients) {
      follow(client, new Set(NAMES));
      client.write = (bytes) => written.push(bytes);
    }
    hub.publish(NAMES.map(next));
    await hub.settled();
    expect(written).toHaveLength(3);
    expect(new Set(written).size).toBe(1);
    expect(framesIn(written[0] ?? Buffer.alloc(0)).map(({ symbol }) => symbol)).toEqual([...NAMES]);
  });

  test("includes what is published while a flush is under way", async () => {
    const { hub, next, clients, follow } = setup(200);
    for (const client of clients) follow(client, new Set(["XAU-USD-SPOT"]));
    hub.publish([next("XAU-USD-SPOT")]);
    hub.publish([next("XAU-USD-SPOT")]);
    hub.publish([next("XAU-USD-SPOT")]);
    await hub.settled();
    expect(clients.every(({ writes, ticks }) => writes === 2 && ticks === 3)).toBe(true);
  });

  test("yields to the event loop every two hundred sockets", async () => {
    const { hub, next, clients, follow } = setup(2_000);
    for (const client of clients) follow(client, new Set(["XAU-USD-SPOT"]));
    hub.publish([next("XAU-USD-SPOT")]);
    const counts: number[] = [];
    while (clients.some(({ ticks }) => ticks === 0)) {
      counts.push(clients.filter(({ ticks }) => ticks > 0).length);
      await new Promise(setImmediate);
    }
    expect(counts.length).toBeGreaterThanOrEqual(9);
  });

  test("gives a client that was held back for one tick that tick, and for more a gap and the newest", async () => {
    const { hub, next, clients, follow } = setup(1);
    const [client] = clients;
    if (!client) throw new Error("there is one client");
    follow(client, new Set(["XAU-USD-SPOT", "XAG-USD-SPOT"]));
    client.isStuck = true;
    const frames: unknown[] = [];
    client.write = (bytes) =>
      frames.push(
        ...framesIn(bytes).map(({ type, symbol, seq, from_seq, to_seq }) => [type, symbol, seq ?? `${from_seq}-${to_seq}`]),
      );
    for (let at = 0; at < 4; at++) hub.publish([next("XAU-USD-SPOT")]);
    hub.publish([next("XAG-USD-SPOT")]);
    await hub.settled();
    expect(hub.standing(client)).toEqual({ "XAU-USD-SPOT": 0, "XAG-USD-SPOT": 0 });
    client.isStuck = false;
    hub.catchUp(client);
    expect(frames).toEqual([
      ["gap", "XAU-USD-SPOT", "1-3"],
      ["tick", "XAU-USD-SPOT", 4],
      ["tick", "XAG-USD-SPOT", 1],
    ]);
  });

  test("owes a client that left everything and comes back nothing of what it was owed before", async () => {
    const { hub, next, clients, follow } = setup(1);
    const [client] = clients;
    if (!client) throw new Error("there is one client");
    const gold = new Set(["XAU-USD-SPOT"] as const);
    follow(client, gold);
    client.isStuck = true;
    for (let at = 0; at < 3; at++) hub.publish([next("XAU-USD-SPOT")]);
    await hub.settled();
    follow(client, new Set());
    follow(client, gold);
    expect(hub.standing(client)).toEqual({ "XAU-USD-SPOT": 3 });
    client.isStuck = false;
    hub.catchUp(client);
    expect([client.at.get("XAU-USD-SPOT"), client.gaps]).toEqual([3, 0]);
  });

  test("gives a client that left everything and comes back what follows, whatever number it named before", async () => {
    const { hub, next, clients, follow, resume } = setup(1);
    const [client] = clients;
    if (!client) throw new Error("there is one client");
    const gold = new Set(["XAU-USD-SPOT"] as const);
    hub.publish([next("XAU-USD-SPOT")]);
    await hub.settled();
    follow(client, gold);
    resume(client, "XAU-USD-SPOT", 20);
    follow(client, new Set());
    follow(client, gold);
    hub.publish([next("XAU-USD-SPOT")]);
    await hub.settled();
    expect(client.at.get("XAU-USD-SPOT")).toBe(2);
  });

  test("sends no more than fits, oldest out first, and reports what it leaves out", async () => {
    const { hub, next, clients, follow } = setup(1);
    const [client] = clients;
    if (!client) throw new Error("there is one client");
    follow(client, new Set(["XAU-USD-SPOT"]));
    hub.publish(Array.from({ length: 3_000 }, () => next("XAU-USD-SPOT")));
    await hub.settled();
    const briefly = (maxBytes: number) => {
      const bytes = Buffer.concat(hub.begin(client, WS, "XAU-USD-SPOT", { seq: 1_000, nowMs: FRIDAY_MS, maxBytes }));
      const [first, ...others] = framesIn(bytes);
      return { length: bytes.length, first, seqs: others.map(({ seq }) => seq) };
    };
    const all = briefly(1_000_000);
    expect([all.first?.seq, all.seqs.at(-1), all.seqs.length]).toEqual([1_001, 3_000, 1_999]);
    const some = briefly(100_000);
    const from = Number(some.seqs[0]);
    expect(some.first).toMatchObject({ type: "gap", from_seq: 1_001, to_seq: from - 1, reason: "expired" });
    expect(some.seqs).toEqual(Array.from({ length: 3_001 - from }, (_, at) => from + at));
    expect(some.length).toBeLessThan(100_200);
    expect(some.seqs.length).toBeGreaterThan(500);
    // The newest is always sent.
    expect(briefly(-1)).toMatchObject({ first: { from_seq: 1_001, to_seq: 2_999 }, seqs: [3_000] });
  });

  test("writes to a client whose socket emptied while it followed nothing", async () => {
    const { hub, next, clients, follow } = setup(1);
    const [client] = clients;
    if (!client) throw new Error("there is one client");
    follow(client, new Set(["XAU-USD-SPOT"]));
    client.isStuck = true;
    hub.publish([next("XAU-USD-SPOT")]);
    await hub.settled();
    follow(client, new Set());
    client.isStuck = false;
    hub.catchUp(client);
    follow(client, new Set(["XAG-USD-SPOT"]));
    hub.publish([next("XAG-USD-SPOT")]);
    await hub.settled();
    expect(client.at.get("XAG-USD-SPOT")).toBe(1);
  });
});
