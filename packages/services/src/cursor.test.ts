import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCursor, writeCursor } from "./cursor.ts";

const SECRET = "secret";
const QUERY = ["XAU-USD-SPOT", "1d", "2026-11-01", "2026-11-20"];
const PLACE = { lastStartMs: Date.UTC(2026, 10, 10), revisions: [7, 9] };

describe("a cursor", () => {
  test("gives back where its page ended", () => {
    const place = fc.record(
      {
        lastStartMs: fc.integer({ min: -8.64e15, max: 8.64e15 }),
        revisions: fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 2 }),
        endMs: fc.integer({ min: -8.64e15, max: 8.64e15 }),
      },
      { requiredKeys: ["lastStartMs", "revisions"] },
    );
    fc.assert(
      fc.property(place, fc.array(fc.string(), { maxLength: 5 }), (at, query) => {
        const cursor = writeCursor(at, query, SECRET);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
        expect(readCursor(cursor, query, SECRET)).toEqual(at);
      }),
    );
  });

  test("of an older process is valid, and names no revision", () => {
    const head = Buffer.alloc(17);
    head.writeUInt8(1, 0);
    head.writeDoubleBE(PLACE.lastStartMs, 1);
    createHash("sha256").update(JSON.stringify(QUERY)).digest().copy(head, 9, 0, 8);
    const signature = createHmac("sha256", SECRET).update(head).digest().subarray(0, 16);
    const cursor = Buffer.concat([head, signature]).toString("base64url");
    expect(readCursor(cursor, QUERY, SECRET)).toEqual({ lastStartMs: PLACE.lastStartMs, revisions: [] });
  });

  test("with any one bit changed is invalid", () => {
    const bytes = Buffer.from(writeCursor(PLACE, QUERY, SECRET), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(readCursor(changed.toString("base64url"), QUERY, SECRET), `bit ${bit}`).toBeNull();
    }
  });

  test("cut short, made longer or written differently is invalid", () => {
    const cursor = writeCursor(PLACE, QUERY, SECRET);
    const padded = Buffer.from(cursor, "base64url").toString("base64");
    for (const bad of [
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      ` ${cursor}`,
      padded.replace(/=*$/, "=="),
      "",
      "A",
      "null",
    ]) {
      expect(readCursor(bad, QUERY, SECRET), bad).toBeNull();
    }
  });

  test("belongs to one query: any other part of it, or parts joined otherwise, makes it invalid", () => {
    const cursor = writeCursor(PLACE, QUERY, SECRET);
    for (let part = 0; part < QUERY.length; part += 1) {
      expect(readCursor(cursor, QUERY.with(part, "other"), SECRET)).toBeNull();
    }
    expect(readCursor(writeCursor(PLACE, ["a,b", "c"], SECRET), ["a", "b,c"], SECRET)).toBeNull();
    expect(readCursor(cursor, QUERY.slice(0, 3), SECRET)).toBeNull();
  });

  test("of another service is invalid", () => {
    expect(readCursor(writeCursor(PLACE, QUERY, "another"), QUERY, SECRET)).toBeNull();
  });

  test("never reads arbitrary text as a position", () => {
    fc.assert(fc.property(fc.string({ maxLength: 600 }), (text) => readCursor(text, QUERY, SECRET) === null));
  });
});
