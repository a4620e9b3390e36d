/** Acquiring a place while processes that may be dead hold others. */
import type { PlaceReading, PlacesPort } from "@assay/live";
import { expect, test } from "vitest";
import { Places } from "./places.ts";

const KEY = { id: "key", orgId: "org", limitKey: "org:org", hash: "", revokedAtMs: null, expiresAtMs: null, plaintext: "" };
const CALLER = { key: KEY, ip: "192.0.2.1" };
const place = { keyId: "key", orgId: "org", id: "1" };
/** Returns one reading after another, then the last one forever; time advances with each call and wait. */
const playing = (readings: readonly PlaceReading[], msPerQuestion: number) => {
  let asked = 0;
  let nowMs = 0;
  const port: PlacesPort = {
    take: () => {
      const reading = readings[Math.min(asked, readings.length - 1)];
      asked += 1;
      nowMs += msPerQuestion;
      return reading ?? { place: null, open: 0, silenceMs: 0 };
    },
    giveBack: async () => {
      throw new Error("away");
    },
    count: () => 0,
  };
  const clock = {
    elapsed: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  };
  const warnings: string[] = [];
  const places = new Places({ places: port, clock, log: { warn: (_fields, message) => warnings.push(message) } });
  return { places, warnings, asked: () => asked };
};
const full = (silenceMs: number): PlaceReading => ({ place: null, open: 10, silenceMs });

test("refuses at once when this process holds all of the key's streams", async () => {
  const { places, asked } = playing([full(0)], 0);
  expect(await places.take(CALLER, 10)).toBeNull();
  expect(asked()).toBe(1);
});

test("waits for a process that may be dead, and takes its place when it is", async () => {
  const { places, asked } = playing([full(200), full(450), full(700), { place, open: 1, silenceMs: 0 }], 0);
  expect(await places.take(CALLER, 10)).toEqual(place);
  expect(asked()).toBe(4);
});

test("refuses as soon as every process that holds places has been heard from since the request", async () => {
  const { places, asked } = playing([full(900), full(100)], 200);
  expect(await places.take(CALLER, 10)).toBeNull();
  expect(asked()).toBe(2);
});

test("does not take a late answer for a sign of life", async () => {
  const { places } = playing([full(300), { place, open: 1, silenceMs: 0 }], 2_000);
  expect(await places.take(CALLER, 10)).toEqual(place);
});

test("refuses in the end, even without an answer from every process", async () => {
  const { places, asked } = playing([full(1_000_000)], 2_500);
  expect(await places.take(CALLER, 10)).toBeNull();
  expect(asked()).toBe(3);
});

test("does not wait where a tier has no streams", async () => {
  const { places, asked } = playing([full(500)], 0);
  expect(await places.take(CALLER, 0)).toBeNull();
  expect(asked()).toBe(1);
});

test("reports a place that cannot be given back", async () => {
  const { places, warnings } = playing([full(0)], 0);
  places.giveBack(place);
  await expect.poll(() => warnings).toEqual(["failed to release a stream's slot"]);
});
