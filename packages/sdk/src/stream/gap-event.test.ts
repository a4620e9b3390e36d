import { expect, test } from "vitest";
import { gap, minutesPage, NOON_MS, tick } from "../testing/frames.ts";
import { GOLD, type Handlers, openStream } from "../testing/stream-service.ts";
import type { ClientOptions, WebSocketOptions } from "./index.ts";

const open = (onPeer: NonNullable<Handlers["onPeer"]>, options: Partial<WebSocketOptions> = {}, client: ClientOptions = {}) =>
  openStream({ onPeer }, { symbols: [GOLD], ...options }, client);

test("gaps carry the closed minutes of the missed time on request", async () => {
  const asked: string[] = [];
  const { reader, service } = await open(
    (peer) => {
      peer.welcome({ server_time: new Date(NOON_MS + 300_000).toISOString() });
      peer.send(tick(1, GOLD, NOON_MS + 30_000), gap(2, 9, "expired"), tick(10, GOLD, NOON_MS + 300_000));
      peer.send(tick(12, GOLD, NOON_MS + 301_000));
    },
    { fillGaps: "bars" },
  );
  service.rest = ({ url = "" }, response) => {
    asked.push(url);
    if (asked.length > 1) {
      const body = { error: "plan_gated", message: "No.", request_id: "r", tier: "free", required_tier: "pro" };
      response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(body));
      return;
    }
    const starts = [4, 3, 2, 1, 0].map((minute) => NOON_MS + minute * 60_000);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(minutesPage(starts, true)));
  };
  const filled = await reader.next("gap");
  expect(filled).toMatchObject({ fromSeq: 2, toSeq: 9, barsError: null });
  expect(filled.bars?.map(({ barStart, close }) => [barStart.getTime() - NOON_MS, close?.text])).toEqual([
    [0, "4000.10"],
    [60_000, "4001.10"],
    [120_000, "4002.10"],
    [180_000, "4003.10"],
  ]);
  const { searchParams } = new URL(asked[0] ?? "", service.url);
  expect(Object.fromEntries(searchParams)).toMatchObject({ symbol: GOLD, interval: "1m", from: new Date(NOON_MS).toISOString() });
  expect(Math.abs(Date.parse(searchParams.get("to") ?? "") - NOON_MS - 300_000)).toBeLessThan(5_000);
  const unfilled = await reader.next("gap");
  expect(unfilled).toMatchObject({ fromSeq: 11, toSeq: 11, bars: null, barsError: { name: "PlanGatedError" } });
  await reader.next("tick", { seq: 12 });
});

test.each([
  ["the last tick", { seq: 41, computedAt: new Date(NOON_MS + 90_000) }],
  ["what JSON kept of it", JSON.parse(JSON.stringify({ seq: 41, computedAt: new Date(NOON_MS + 90_000) }))],
])("a gap between two runs of a program is filled, with %s", async (_, last) => {
  const asked: string[] = [];
  const { reader, service } = await open(
    (peer) => {
      peer.welcome();
      peer.send(gap(42, 99, "expired"), tick(100, GOLD, NOON_MS + 900_000));
    },
    { fillGaps: "bars", resume: { [GOLD]: last } },
  );
  service.rest = ({ url = "" }, response) => {
    asked.push(url);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(minutesPage([NOON_MS + 60_000])));
  };
  const filled = await reader.next("gap");
  expect(filled).toMatchObject({ fromSeq: 42, toSeq: 99, barsError: null });
  expect(filled.bars?.map(({ close }) => close?.text)).toEqual(["4001.10"]);
  const { searchParams } = new URL(asked[0] ?? "", service.url);
  expect(searchParams.get("from")).toBe(new Date(NOON_MS + 60_000).toISOString());
  expect(service.peers[0]?.frames[1]).toMatchObject({ resume: { [GOLD]: 41 } });
  await reader.next("tick", { seq: 100 });
});

test("with only a number the time of a gap is not known, and the error says what to give", async () => {
  const { reader } = await open(
    (peer) => {
      peer.welcome();
      peer.send(gap(42, 99, "expired"));
    },
    { fillGaps: "bars", resume: { [GOLD]: 41 } },
  );
  const { barsError } = await reader.next("gap");
  expect(barsError?.message).toContain("pass its computedAt together with its seq in resume");
});
