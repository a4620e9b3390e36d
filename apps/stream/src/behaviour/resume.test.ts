/**
 * What clients receive after the number they name, over both transports, and what they receive for numbers and names that fit
 * nothing.
 */
import { sseId } from "@assay/contract";
import { makeDealerTick, makeTick, publishDealers, type TestKey } from "@assay/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WsClient } from "../testing/clients.ts";
import { goldAt, startTestStreams, type TestStreams, wireTick } from "../testing/start-test-streams.ts";

const GOLD = "XAU-USD-SPOT";
const SILVER = "XAG-USD-SPOT";
let app: TestStreams;
let key: TestKey;
let seq = 100;

beforeAll(async () => {
  app = await startTestStreams();
  await app.publish(makeTick(7, { instrument: SILVER }));
});
afterAll(() => app.close());
beforeEach(async () => {
  // Longer than anything is kept: each test has the ticks that it publishes, and the newest before them.
  app.clock.advance(400_000);
  key = await app.key("realtime_pro");
  await publishGold();
});

const gold = (price = "4003.196") => goldAt(app.clock, ++seq, { price, conf: "0.204" });
const publishGold = async (price?: string) => {
  const tick = gold(price);
  await app.publish(tick);
  return tick;
};
const publishSeconds = async (count: number): Promise<void> => {
  const ticks = Array.from({ length: count }, () => {
    app.clock.advance(1_000);
    return gold();
  });
  await app.publish(...ticks);
};

/** Ticks and gaps of gold, briefly. */
interface ReceivedFrame {
  readonly type: string;
  readonly seq?: number;
  readonly from_seq?: number;
  readonly to_seq?: number;
  readonly reason?: string;
  readonly snapshot?: true;
}
const brief = (frames: readonly ReceivedFrame[]): (number | string)[] =>
  frames.flatMap(({ type, seq: number, from_seq, to_seq, reason, snapshot }) => {
    if (type === "gap") return [`${reason} ${from_seq}-${to_seq}`];
    return type === "tick" && number !== undefined ? [snapshot ? `${number} snapshot` : number] : [];
  });
const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Everything that a resumed stream receives before a ping, or a tick, that follows. */
const overWs = async (from: number): Promise<(number | string)[]> => {
  const client = await app.ws(key.key);
  await client.subscribe([GOLD], { resume: { [GOLD]: from } });
  return toldBy(client);
};
const toldBy = async (client: WsClient): Promise<(number | string)[]> => {
  client.send({ action: "ping" });
  await client.next("pong");
  return brief(client.frames as readonly ReceivedFrame[]); // the fields read are those of ticks and gaps
};
const overSse = async (from: number): Promise<(number | string)[]> => {
  const client = await app.sse("?symbol=gold", key.key, { "Last-Event-ID": sseId(GOLD, from) });
  const next = await publishGold();
  const received = () => brief(client.parts.filter(({ event }) => event !== "retry").map(({ data }) => data));
  await expect.poll(() => received().at(-1)).toBe(next.seq);
  return received().slice(0, -1);
};

describe.each([
  { wire: "WebSocket", resume: overWs },
  { wire: "SSE", resume: overSse },
])("over $wire, a stream resumed", ({ resume }) => {
  test("within five minutes gets exactly what it missed", async () => {
    await publishSeconds(320);
    const newest = seq;
    expect(await resume(newest - 298)).toEqual(upTo(newest - 297, newest));
  });

  test("just past them gets a gap for what is gone, then every tick that is kept", async () => {
    await publishSeconds(320);
    const newest = seq;
    expect(await resume(newest - 305)).toEqual([`expired ${newest - 304}-${newest - 301}`, ...upTo(newest - 300, newest)]);
  });

  test("from long ago gets the gap, and what is kept", async () => {
    const newest = seq;
    expect(await resume(3)).toEqual([`expired 4-${newest - 1}`, newest]);
  });

  test.each([1_000_000_000_000_000, Number.MAX_SAFE_INTEGER])(
    "from number %i, far ahead of the numbering, receives a reset",
    async (from) => {
      const newest = seq;
      expect(await resume(from)).toEqual([`reset ${newest}-${from}`, `${newest} snapshot`]);
    },
  );
});

describe("a resumed subscription over WebSocket", () => {
  test("gets exactly what it missed, and no snapshot", async () => {
    const first = await publishGold();
    const missed = [await publishGold(), await publishGold(), await publishGold()];
    const client = await app.ws(key.key);
    await client.subscribe(["XAU-USD-SPOT"], { resume: { "XAU-USD-SPOT": first.seq } });
    for (const tick of missed) expect(await client.next("tick")).toEqual(wireTick(tick, "4003.20", "0.20"));
  });

  test("that missed nothing gets nothing until the next tick", async () => {
    const newest = await publishGold();
    const client = await app.ws(key.key);
    await client.subscribe(["gold"], { resume: { gold: newest.seq } });
    const next = await publishGold();
    expect(await client.next("tick")).toMatchObject({ seq: next.seq });
    expect(client.frames.filter(({ type }) => type === "gap")).toEqual([]);
  });

  test("at a process that is behind repeats nothing, and gets everything after it", async () => {
    const newest = await publishGold();
    const client = await app.ws(key.key);
    await client.subscribe(["XAU-USD-SPOT"], { resume: { "XAU-USD-SPOT": newest.seq + 2 } });
    for (let behind = 0; behind < 2; behind += 1) await publishGold();
    const next = await publishGold();
    expect(await client.next("tick")).toMatchObject({ seq: next.seq });
  });

  test("from a number that was never published gets a gap of reason reset, and the newest tick", async () => {
    const newest = await publishGold();
    const client = await app.ws(key.key);
    await client.subscribe(["XAU-USD-SPOT"], { resume: { "XAU-USD-SPOT": newest.seq + 1_000 } });
    expect(await client.next("gap")).toMatchObject({ reason: "reset" });
    expect(await client.next("tick")).toMatchObject({ seq: newest.seq, snapshot: true });
  });
});

describe("a resume of a name that is followed already", () => {
  const following = async (): Promise<WsClient> => {
    await publishSeconds(5);
    const client = await app.ws(key.key);
    await client.subscribe([GOLD]);
    await client.next("tick");
    return client;
  };

  test("from a number ahead of the numbering receives a reset", async () => {
    const client = await following();
    await client.subscribe([], { resume: { [GOLD]: 1e15 } });
    expect(await toldBy(client)).toEqual([`${seq} snapshot`, `reset ${seq}-1000000000000000`, `${seq} snapshot`]);
    const next = await publishGold();
    expect(await client.next("tick")).toMatchObject({ seq: next.seq });
  });

  test("gets what follows the number, again if need be", async () => {
    const client = await following();
    await client.subscribe([GOLD], { resume: { gold: seq - 3 } });
    expect(await toldBy(client)).toEqual([`${seq} snapshot`, seq - 2, seq - 1, seq]);
    await publishGold();
    expect(await client.next("tick")).toMatchObject({ seq });
  });

  test("from the newest number gets the acknowledgement alone, as does subscribing again", async () => {
    const client = await following();
    expect(await client.subscribe([], { resume: { [GOLD]: seq } })).toMatchObject({ symbols: [GOLD], rejected: [] });
    expect(await client.subscribe([GOLD])).toMatchObject({ symbols: [GOLD], rejected: [] });
    expect(await toldBy(client)).toEqual([`${seq} snapshot`]);
  });

  test("from a number that has not arrived here is not sent what the client has", async () => {
    const client = await following();
    await client.subscribe([], { resume: { [GOLD]: seq + 2 } });
    for (let at = 0; at < 3; at += 1) await publishGold();
    expect(await client.next("tick")).toMatchObject({ seq });
  });

  test("after unsubscribing gets what follows the number", async () => {
    const client = await following();
    client.send({ action: "unsubscribe", symbols: [GOLD] });
    expect(await client.next("unsubscribed")).toMatchObject({ symbols: [], rejected: [] });
    await publishSeconds(2);
    await client.subscribe([GOLD], { resume: { [GOLD]: seq - 2 } });
    expect(await toldBy(client)).toEqual([`${seq - 2} snapshot`, seq - 1, seq]);
  });
});

describe("names in resume", () => {
  test.each([SILVER, "physical:AE", "XPT-USD-SPOT", "constructor", "toString", "", "x".repeat(300)])(
    "%s, which is not subscribed to, is rejected",
    async (name) => {
      const client = await app.ws(key.key);
      const resume = { [GOLD]: seq, [name]: 5 };
      expect(await client.subscribe([GOLD], { resume })).toMatchObject({
        symbols: [GOLD],
        rejected: [{ name, code: "invalid_symbol" }],
      });
      expect(await toldBy(client)).toEqual([]);
    },
  );

  test("a name that is rejected as a subscription is rejected once", async () => {
    const client = await app.ws(key.key);
    const rejected = [{ name: "XPT-USD-SPOT", code: "invalid_symbol" }];
    expect(await client.subscribe(["XPT-USD-SPOT"], { resume: { "XPT-USD-SPOT": 5 } })).toMatchObject({ symbols: [], rejected });
  });

  test("__proto__ is no name, in any field", async () => {
    const client = await app.ws(key.key);
    client.send(`{"action":"subscribe","symbols":["__proto__"],"channels":["__proto__"],"resume":{"__proto__":5}}`);
    const rejected = Array.from({ length: 2 }, () => ({ name: "__proto__", code: "invalid_symbol" }));
    expect(await client.next("subscribed")).toMatchObject({ symbols: [], channels: [], rejected });
    expect(await client.subscribe([GOLD])).toMatchObject({ symbols: [GOLD], rejected: [] });
    expect(await toldBy(client)).toEqual([`${seq} snapshot`]);
  });

  test("several for one symbol count as the lowest number, so that nothing is missed", async () => {
    await publishSeconds(5);
    const client = await app.ws(key.key);
    await client.subscribe(["gold"], { resume: { gold: seq - 1, xau: seq - 3, [GOLD]: seq } });
    expect(await toldBy(client)).toEqual([seq - 2, seq - 1, seq]);
  });

  test("a symbol subscribed to by several names in a frame is followed once", async () => {
    const client = await app.ws(key.key);
    expect(await client.subscribe(["gold", GOLD, "xau", GOLD])).toMatchObject({ symbols: [GOLD], rejected: [] });
    expect(await toldBy(client)).toEqual([`${seq} snapshot`]);
  });

  test("a channel is resumed like a symbol, in any case, and is none of the symbols", async () => {
    await publishDealers(
      app.store,
      app.live,
      [1, 2, 3].map((at) => makeDealerTick(at, { fetchedAtMs: app.clock() })),
      app.clock(),
    );
    const client = await app.ws(key.key);
    const wrong = { channels: [GOLD], resume: {} };
    expect(await client.subscribe(["physical:AE"], wrong)).toMatchObject({
      rejected: [
        { name: "physical:AE", code: "invalid_symbol" },
        { name: GOLD, code: "invalid_symbol" },
      ],
    });
    await client.subscribe([], { channels: ["physical:AE"], resume: { "PHYSICAL:ae": 1 } });
    expect([await client.next("physical"), await client.next("physical")]).toMatchObject([{ seq: 2 }, { seq: 3 }]);
    await client.subscribe([], { resume: { "physical:AE": 2 } });
    expect(await client.next("physical")).toMatchObject({ seq: 3 });
    await client.subscribe([], { resume: { "physical:AE": 1e15 } });
    expect(await client.next("gap")).toMatchObject({ symbol: "physical:AE", reason: "reset" });
  });
});

test.each(["-1", "1.5", '"7"', "null", "true", "9007199254740992", "1e16", "1e400", "[]", "{}"])(
  "a number that is %s is an error that names it, and the frame has no effect",
  async (written) => {
    const client = await app.ws(key.key);
    client.send(`{"action":"subscribe","id":"a","symbols":["XAU-USD-SPOT"],"resume":{"XAU-USD-SPOT":${written}}}`);
    expect(await client.next("error")).toMatchObject({
      id: "a",
      code: "validation_error",
      fatal: false,
      message: expect.stringContaining("resume.XAU-USD-SPOT: "),
    });
    expect(await client.subscribe([])).toMatchObject({ symbols: [] });
  },
);

test.each(["[]", '"XAU-USD-SPOT"', "5", "null"])("a resume that is %s is an error that names it", async (written) => {
  const client = await app.ws(key.key);
  client.send(`{"action":"subscribe","symbols":["XAU-USD-SPOT"],"resume":${written}}`);
  expect(await client.next("error")).toMatchObject({ code: "validation_error", message: expect.stringContaining("resume: ") });
});
