/** Checks the streams' tables and frames against the specification. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  clientFrame,
  contract,
  ERRORS,
  errorCodesOf,
  mayReconnect,
  PHYSICAL_CHANNELS,
  SSE_SYMBOLS,
  STREAM_CLOSES,
  STREAM_LIMITS,
  STREAM_NAMES,
  STREAM_SYMBOLS,
  serverFrame,
  sseId,
  streams,
} from "./index.ts";

describe("what can be followed", () => {
  test("is three symbols and the dealers of twelve countries, SSE gold and silver only", () => {
    expect(STREAM_SYMBOLS).toEqual(["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT"]);
    expect(SSE_SYMBOLS).toEqual(["XAU-USD-SPOT", "XAG-USD-SPOT"]);
    expect(PHYSICAL_CHANNELS).toHaveLength(12);
    expect(new Set(STREAM_NAMES).size).toBe(15);
    for (const channel of PHYSICAL_CHANNELS) expect(channel).toMatch(/^physical:[A-Z]{2}$/);
  });
});

describe("close codes", () => {
  const WIRE = [
    ["bad_frame", 4400, false],
    ["too_many_frames", 4400, false],
    ["unauthenticated", 4401, false],
    ["plan_gated", 4403, false],
    ["auth_timeout", 4408, false],
    ["too_many_connections", 4429, false],
    ["auth_unavailable", 4503, true],
    ["slow_consumer", 4508, true],
    ["server_draining", 4510, true],
  ] as const;

  test.each(WIRE)("%s closes with %i, reconnect: %s", (code, close, reconnects) => {
    expect(STREAM_CLOSES[code].close).toBe(close);
    expect(mayReconnect(close)).toBe(reconnects);
  });

  test("there are no others", () => {
    expect(Object.keys(STREAM_CLOSES)).toEqual(WIRE.map(([code]) => code));
  });

  test.each([
    [1000, false],
    [1001, true],
    [1002, false],
    [1006, true],
    [1011, true],
    [1012, true],
    [1013, true],
    [4499, false],
    [4600, false],
  ])("after %i a client reconnects: %s", (close, reconnects) => {
    expect(mayReconnect(close)).toBe(reconnects);
  });
});

describe("client frames", () => {
  const read = (frame: unknown) => clientFrame.safeParse(frame);

  test("require no lists; the service refuses undeclared fields", () => {
    expect(read({ action: "subscribe", extra: 1 }).data).toEqual({ action: "subscribe", symbols: [], channels: [] });
  });

  test("require no key; the service decides who needs one", () => {
    expect(read({ action: "auth" }).data).toEqual({ action: "auth" });
  });

  test.each([
    [{ action: "sing" }],
    [{ action: "auth", api_key: 1 }],
    [{ action: "auth", api_key: null }],
    [{ action: "subscribe", symbols: "XAU-USD-SPOT" }],
    [{ action: "subscribe", symbols: [1] }],
    [{ action: "subscribe", resume: { "XAU-USD-SPOT": -1 } }],
    [{ action: "subscribe", resume: { "XAU-USD-SPOT": 1.5 } }],
    [{ action: "ping", id: {} }],
    [{ action: "ping", id: "x".repeat(65) }],
    [[]],
    [null],
  ])("%j is refused", (frame) => {
    expect(read(frame).success).toBe(false);
  });

  test("a whole subscription fits into a frame", () => {
    const frame = { action: "subscribe", id: "x".repeat(64), symbols: STREAM_SYMBOLS, channels: PHYSICAL_CHANNELS };
    const resume = Object.fromEntries(STREAM_NAMES.map((name) => [name, Number.MAX_SAFE_INTEGER]));
    expect(Buffer.byteLength(JSON.stringify({ ...frame, resume }))).toBeLessThan(STREAM_LIMITS.maxFrameBytes);
  });
});

describe("server frames", () => {
  test.each([
    [{ type: "tick", symbol: "XAU-USD-SPOT", price: "4003.20", conf: "0.20", computed_at: "2026-11-20T14:03:27Z", seq: 7 }],
    [{ type: "gap", symbol: "XAU-USD-SPOT", from_seq: 7, to_seq: 9, reason: "missed" }],
    [{ type: "heartbeat", ts: "2026-11-20T14:03:27.000Z", seq: { "XAU-USD-SPOT": 7 }, market: "open" }],
    [{ type: "error", code: "bad_frame", message: "The frame is not valid.", fatal: true }],
  ])("%j is valid", (frame) => {
    expect(serverFrame.safeParse(frame).error?.issues).toBeUndefined();
  });

  test("carry money as text only", () => {
    const tick = {
      type: "tick",
      symbol: "XAU-USD-SPOT",
      price: 4003.2,
      conf: "0.20",
      computed_at: "2026-11-20T14:03:27Z",
      seq: 7,
    };
    expect(serverFrame.safeParse(tick).success).toBe(false);
  });

  test("describe every field", () => {
    const undescribed: string[] = [];
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== "object" || schema === null) return;
      for (const [name, field] of Object.entries((schema as { properties?: Record<string, object> }).properties ?? {})) {
        if (!("description" in field) && !("const" in field)) undescribed.push(`${path}.${name}`);
        walk(field, `${path}.${name}`);
      }
    };
    for (const frame of [...serverFrame.options, ...clientFrame.options]) {
      const schema = z.toJSONSchema(frame, { io: "input", reused: "inline" });
      walk(schema, frame.meta()?.id ?? "?");
    }
    expect(undescribed).toEqual([]);
  });
});

describe("the SSE route", () => {
  test("can answer with every status the interface lists, and no other", () => {
    const statuses = new Set(errorCodesOf(streams.prices).map((code) => ERRORS[code].status));
    expect([...statuses].sort()).toEqual([400, 401, 403, 422, 429, 503]);
  });

  test("needs a key of Pro, and is not a route of the contract", () => {
    expect(streams.prices.access).toMatchObject({ auth: "required", tier: "pro" });
    const paths = Object.values(contract).flatMap((actions) => Object.values(actions).map(({ path }) => path as string));
    expect(paths).not.toContain(streams.prices.path);
  });

  test("gives a tick an id to resume from", () => {
    expect(sseId("XAU-USD-SPOT", 1841)).toBe("XAU-USD-SPOT:1841");
  });
});
