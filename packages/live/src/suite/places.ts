/** What every counter of open streams guarantees. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PlacesPort, StreamPlace } from "../ports.ts";
import type { Bench, Engine } from "./engine.ts";

const granted = ({ place }: { place: StreamPlace | null }): StreamPlace => {
  if (!place) throw new Error("there was no place");
  return place;
};

const KEY = { keyId: "key", orgId: "org" };
const OTHER = { keyId: "other", orgId: "elsewhere" };
const upTo = (perKey: number) => ({ perKey, perOrg: 2 * perKey });

export const placesSuite = (engine: Engine) =>
  describe(`places, ${engine.name}`, () => {
    let bench: Bench;
    let places: PlacesPort;
    beforeEach(async () => {
      bench = await engine.open();
      places = bench.live.places;
    });
    afterEach(() => bench.close());

    test("gives as many as a key may have, and refuses the next", async () => {
      expect(await places.take(KEY, upTo(2))).toMatchObject({ open: 1 });
      expect(await places.take(KEY, upTo(2))).toMatchObject({ open: 2 });
      expect(await places.take(KEY, upTo(2))).toMatchObject({ place: null, open: 2 });
      expect(await places.count(KEY)).toBe(2);
      expect(await places.take(OTHER, upTo(2))).toMatchObject({ open: 1 });
    });

    test("gives none where none may be open", async () => {
      expect(await places.take(KEY, upTo(0))).toMatchObject({ place: null, open: 0 });
    });

    test("counts over all processes, and lets exactly the limit through when they ask at once", async () => {
      const other = (await bench.another()).places;
      const readings = await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 ? places : other).take(KEY, upTo(10))));
      expect(readings.filter(({ place }) => place)).toHaveLength(10);
      expect(await places.count(KEY)).toBe(10);
      expect(await other.count(KEY)).toBe(10);
    });

    test("gives an organisation's keys together no more than it may have, however many keys there are and processes they ask", async () => {
      const other = (await bench.another()).places;
      const holder = (at: number) => ({ keyId: `key-${at % 10}`, orgId: "org" });
      const attempts = Array.from({ length: 40 }, (_, at) => (at % 2 ? places : other).take(holder(at), upTo(3)));
      const taken = (await Promise.all(attempts)).flatMap(({ place }) => place ?? []);
      expect(taken).toHaveLength(6);
      expect(await places.take(OTHER, upTo(3))).toMatchObject({ open: 1 });
      const [first] = taken;
      if (first) await Promise.all([places.giveBack(first), other.giveBack(first)]);
      expect((await other.take(holder(1), upTo(3))).place).not.toBeNull();
    });

    test("gives a place again once it was returned, and counts one returned twice once", async () => {
      const first = granted(await places.take(KEY, upTo(2)));
      granted(await places.take(KEY, upTo(2)));
      await places.giveBack(first);
      await places.giveBack(first);
      expect(await places.count(KEY)).toBe(1);
      expect(await places.take(KEY, upTo(2))).toMatchObject({ open: 2 });
      expect((await places.take(KEY, upTo(2))).place).toBeNull();
    });

    test("gives every place a unique name", async () => {
      const other = (await bench.another()).places;
      const taken = await Promise.all(
        [places, other, places, other].map(async (each) => granted(await each.take(KEY, upTo(9))).id),
      );
      expect(new Set(taken).size).toBe(4);
    });
  });
