/**
 * Every caller over every transport of the streams: what the contract says, and what the service answers; a refusal contains no
 * figure.
 */
import { ERRORS, overlayCatalog, STREAM_CLOSES, streams, TIER_NAMES } from "@assay/contract";
import { CALLER_KINDS, type CallerKind, outcomeAt, outcomeAtSocket, STREAM_DOORS } from "@assay/contract-test";
import { machineRandom } from "@assay/ports";
import { generateKey } from "@assay/services";
import { makeTick } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSse } from "../testing/clients.ts";
import { startTestStreams, type TestStreams } from "../testing/start-test-streams.ts";

/** A unique price, and the digits it is recognised by. */
const LIVE = makeTick(1, { price: "4321.987" });
const DIGITS = "4321.";

const keyOf = async (app: TestStreams, kind: CallerKind): Promise<string | undefined> => {
  if (kind === "no key") return undefined;
  return kind === "bad key" ? generateKey(machineRandom) : (await app.key(kind)).key;
};

describe.each(TIER_NAMES)("where callers without a key have the tier %s", (keyless) => {
  let app: TestStreams;
  const cells = new Set<string>();
  const catalog = overlayCatalog({}, keyless);
  // What a key may do does not depend on it.
  const kinds: readonly CallerKind[] = keyless === "free" ? CALLER_KINDS : ["no key", "bad key", "free"];

  beforeAll(async () => {
    app = await startTestStreams({ before: { ticks: [LIVE] }, catalog });
  });
  afterAll(() => app.close());

  const ask = (kind: CallerKind, key: string | undefined, method: string, symbol: string) =>
    openSse(
      `${app.url}/v1/prices/stream?symbol=${symbol}`,
      key,
      { "X-Forwarded-For": `10.9.0.${CALLER_KINDS.indexOf(kind)}` },
      method,
    );

  describe.each(STREAM_DOORS)("%s", (door) => {
    test.each(kinds)("accepts a caller with %s, or refuses it, as its declaration says", async (kind) => {
      const expected = outcomeAt({ streams }, streams.prices, door, kind, keyless);
      const client = await ask(kind, await keyOf(app, kind), door === "SSE" ? "GET" : "HEAD", "XAU-USD-SPOT");
      cells.add(`${door} ${kind}`);
      if (expected === "success") {
        expect(client.status).toBe(200);
        if (door === "SSE") expect((await client.next("message")).data.price).toBe("4321.99");
        client.close();
        return;
      }
      expect(client.status).toBe(ERRORS[expected.code].status);
      const received = JSON.stringify([client.json, ...client.headers]);
      expect(received).not.toContain(DIGITS);
      if (door === "SSE") expect(client.json).toMatchObject({ error: expected.code, ...expected.fields });
      else expect(client.json).toBe("");
    });
  });

  describe("WebSocket", () => {
    test.each(kinds)("welcomes a caller with %s, or closes with its code, as the contract says", async (kind) => {
      const expected = outcomeAtSocket(kind, keyless);
      const key = await keyOf(app, kind);
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

  test("has no combination of caller and entry point that was not checked", () => {
    console.info(`stream access matrix: ${cells.size} cells (${STREAM_DOORS.length + 1} doors × ${kinds.length} callers)`);
    expect(cells.size).toBe((STREAM_DOORS.length + 1) * kinds.length);
  });
});
