/**
 * Every caller over every transport of the streams: what the contract says, and what the service answers; a refusal contains no
 * figure.
 */
import { ERRORS, STREAM_CLOSES, streams } from "@assay/contract";
import { generateKey } from "@assay/services";
import { makeTick } from "@assay/testkit";
import { CALLER_KINDS, type CallerKind, outcomeAt, outcomeAtSocket, STREAM_DOORS } from "@assay/testkit/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSse } from "../testing/sse-client.ts";
import { startTestStreams, type TestStreams } from "../testing/start-test-streams.ts";

/** A unique price, and the digits it is recognised by. */
const LIVE = makeTick(1, { price: "4321.987" });
const DIGITS = "4321.";

let app: TestStreams;
const cells = new Set<string>();

beforeAll(async () => {
  app = await startTestStreams({ before: [LIVE] });
});
afterAll(() => app.close());

const keyOf = async (kind: CallerKind): Promise<string | undefined> => {
  if (kind === "no key") return undefined;
  return kind === "bad key" ? generateKey() : (await app.key(kind)).key;
};

const ask = (kind: CallerKind, key: string | undefined, method: string, symbol: string) =>
  openSse(
    `${app.url}/v1/prices/stream?symbol=${symbol}`,
    key,
    { "X-Forwarded-For": `10.9.0.${CALLER_KINDS.indexOf(kind)}` },
    method,
  );

describe.each(STREAM_DOORS)("%s", (door) => {
  test.each(CALLER_KINDS)("accepts a caller with %s, or refuses it, as its declaration says", async (kind) => {
    const expected = outcomeAt({ streams }, streams.prices, door, kind);
    const client = await ask(kind, await keyOf(kind), door === "SSE" ? "GET" : "HEAD", "XAU-USD-SPOT");
    cells.add(`${door} ${kind}`);
    if (expected === "success") {
      expect(client.status).toBe(200);
      if (door === "SSE") expect((await client.next("message")).data.price).toBe("4321.99");
      client.close();
      return;
    }
    expect(client.status).toBe(ERRORS[expected.code].status);
    const told = JSON.stringify([client.json, ...client.headers]);
    expect(told).not.toContain(DIGITS);
    if (door === "SSE") expect(client.json).toMatchObject({ error: expected.code, ...expected.fields });
    else expect(client.json).toBe("");
  });
});

describe("WebSocket", () => {
  test.each(CALLER_KINDS)("welcomes a caller with %s, or closes with its code, as the contract says", async (kind) => {
    const expected = outcomeAtSocket(kind);
    const key = await keyOf(kind);
    const client = await app.ws();
    client.send({ action: "auth", ...(key === undefined ? {} : { api_key: key }) });
    // Frames after a refused one are not executed.
    client.send({ action: "subscribe", symbols: ["XAU-USD-SPOT"] });
    cells.add(`WebSocket ${kind}`);
    if (expected === "welcome") {
      expect((await client.next("tick")).price).toBe("4321.99");
      client.close();
      return;
    }
    expect(await client.closed).toBe(STREAM_CLOSES[expected].close);
    expect(client.frames).toMatchObject([{ type: "error", code: expected, fatal: true }]);
    expect(JSON.stringify(client.frames)).not.toContain(DIGITS);
  });
});

test("every combination of caller and entry point is covered", () => {
  console.info(`stream access matrix: ${cells.size} cells (${STREAM_DOORS.length + 1} doors × ${CALLER_KINDS.length} callers)`);
  expect(cells.size).toBe((STREAM_DOORS.length + 1) * CALLER_KINDS.length);
});
