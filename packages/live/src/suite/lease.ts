/** What every lease guarantees. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LeasePort, LeaseToken } from "../ports.ts";
import type { Bench, Engine } from "./engine.ts";

const TTL_MS = 60_000;

const held = (token: LeaseToken | null): LeaseToken => {
  if (!token) throw new Error("the lease was not given");
  return token;
};

export const leaseSuite = (engine: Engine) =>
  describe(`lease, ${engine.name}`, () => {
    let bench: Bench;
    let lease: LeasePort;
    beforeEach(async () => {
      bench = await engine.open();
      lease = bench.live.lease;
    });
    afterEach(() => bench.close());

    test("goes to the first who asks and is refused to others while it is held", async () => {
      const first = held(await lease.acquire("a", TTL_MS, 0));
      expect(first).toMatchObject({ holder: "a", token: 1 });
      const other = (await bench.another()).lease;
      expect(await other.acquire("b", TTL_MS, 0)).toBeNull();
      expect(await other.current()).toMatchObject({ holder: "a", token: 1 });
    });

    test("gives a token above the highest the store has seen", async () => {
      expect(held(await lease.acquire("a", TTL_MS, 41)).token).toBe(42);
    });

    test("gives a rising token at each takeover, even if the floor does not rise", async () => {
      const first = held(await lease.acquire("a", TTL_MS, 0));
      await lease.release(first);
      const second = held(await lease.acquire("b", TTL_MS, 0));
      await lease.release(second);
      expect([first.token, second.token, held(await lease.acquire("a", TTL_MS, 0)).token]).toEqual([1, 2, 3]);
    });

    test("can be acquired once it has expired", async () => {
      await lease.acquire("a", TTL_MS, 0);
      await bench.advance(TTL_MS + 1_000);
      expect(await lease.current()).toBeNull();
      expect(await lease.acquire("b", TTL_MS, 0)).toMatchObject({ holder: "b", token: 2 });
    });

    test("lasts for as long as it is renewed, under one token", async () => {
      let token = held(await lease.acquire("a", TTL_MS, 0));
      for (let round = 0; round < 3; round++) {
        await bench.advance(TTL_MS - 20_000);
        token = held(await lease.renew(token, TTL_MS));
      }
      expect(token.token).toBe(1);
      expect(token.expiresAtMs).toBe(bench.clock() + TTL_MS);
      expect(await lease.acquire("b", TTL_MS, 0)).toBeNull();
    });

    test("is not renewed after it ran out, even when no one has acquired it", async () => {
      const first = held(await lease.acquire("a", TTL_MS, 0));
      await bench.advance(TTL_MS + 1_000);
      expect(await lease.renew(first, TTL_MS)).toBeNull();
      expect(await lease.current()).toBeNull();
    });

    test("is not renewed or released by one that does not hold it", async () => {
      const first = held(await lease.acquire("a", TTL_MS, 0));
      await bench.advance(TTL_MS + 1_000);
      const second = held(await lease.acquire("b", TTL_MS, 0));
      expect(await lease.renew(first, TTL_MS)).toBeNull();
      await lease.release(first);
      await lease.release({ ...second, holder: "a" });
      await lease.release({ ...second, token: 7 });
      expect(await lease.current()).toMatchObject({ holder: "b", token: 2 });
    });

    test("gives a new token to a holder that asks again, as after a restart, and forgets its former one", async () => {
      const before = held(await lease.acquire("a", TTL_MS, 0));
      const after = held(await (await bench.another()).lease.acquire("a", TTL_MS, 0));
      expect(after.token).toBe(2);
      expect(await lease.renew(before, TTL_MS)).toBeNull();
      await lease.release(before);
      expect(await lease.current()).toMatchObject({ holder: "a", token: 2 });
    });

    test("is free at once when it is released", async () => {
      await lease.release(held(await lease.acquire("a", TTL_MS, 0)));
      expect(await lease.current()).toBeNull();
      expect(await lease.acquire("b", TTL_MS, 0)).toMatchObject({ holder: "b", token: 2 });
    });

    test("goes to exactly one of many who ask at once", async () => {
      const others = await Promise.all(Array.from({ length: 4 }, () => bench.another()));
      const answers = await Promise.all(others.map((other, at) => other.lease.acquire(`w${at}`, TTL_MS, 0)));
      expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    });

    test("keeps holder names with colons, spaces and patterns apart", async () => {
      const first = held(await lease.acquire("host:1:%d .*", TTL_MS, 0));
      expect(await lease.acquire("host:1:%d ..", TTL_MS, 0)).toBeNull();
      expect((await lease.current())?.holder).toBe("host:1:%d .*");
      expect(await lease.renew(first, TTL_MS)).not.toBeNull();
    });
  });
