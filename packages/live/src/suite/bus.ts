/** What every bus guarantees. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BusPort, MarketEvent } from "../ports.ts";
import type { Bench, Engine } from "./engine.ts";

const replaced = (symbol: string): MarketEvent => ({ kind: "bars-replaced", symbol });
const names = (events: readonly MarketEvent[]): string[] =>
  events.map((event) => (event.kind === "bars-replaced" ? event.symbol : event.kind));

export const busSuite = (engine: Engine) =>
  describe(`bus, ${engine.name}`, () => {
    let bench: Bench;
    let bus: BusPort;
    beforeEach(async () => {
      bench = await engine.open();
      bus = bench.live.bus;
    });
    afterEach(() => bench.close());

    test("delivers every event to every subscriber, in the order of publishing", async () => {
      const heard: MarketEvent[][] = [[], []];
      const other = (await bench.another()).bus;
      await bus.subscribe((event) => heard[0]?.push(event));
      await other.subscribe((event) => heard[1]?.push(event));
      const symbols = Array.from({ length: 300 }, (_, at) => `S${at}`);
      await Promise.all(symbols.map((symbol) => bus.publish(replaced(symbol))));
      await vi.waitFor(() => expect(heard.map(names)).toEqual([symbols, symbols]), { timeout: 5_000 });
    });

    test("delivers the whole event unchanged", async () => {
      const heard: MarketEvent[] = [];
      await bus.subscribe((event) => heard.push(event));
      const moment: MarketEvent = {
        kind: "moment",
        token: 3,
        atMs: 1_795_183_200_123,
        ticks: [],
        bars: [
          {
            symbol: "GC",
            interval: "1m",
            barStartMs: 0,
            open: "1.10",
            high: "1.10",
            low: "1.10",
            close: "1.10",
            volume: null,
            isClosed: false,
            sourceId: "ü ☀",
          },
        ],
        fx: [{ kind: "fx", source: "s", role: "live", base: "USD", rates: { EUR: "0.8600" }, observedAtMs: 1, freshForMs: 2 }],
      };
      const revoked: MarketEvent = { kind: "key-changed", keyHash: "ab", revokedAtMs: null };
      await bus.publish(moment);
      await bus.publish(revoked);
      await vi.waitFor(() => expect(heard).toEqual([moment, revoked]), { timeout: 5_000 });
    });

    test("begins with the first event after the subscription", async () => {
      const early: MarketEvent[] = [];
      const late: MarketEvent[] = [];
      await bus.subscribe((event) => early.push(event));
      await bus.publish(replaced("before"));
      await bus.subscribe((event) => late.push(event));
      await bus.publish(replaced("after"));
      await vi.waitFor(() => expect(names(early)).toEqual(["before", "after"]), { timeout: 5_000 });
      expect(names(late)).toEqual(["after"]);
    });

    test("reports a handler that throws, without affecting others", async () => {
      const heard: MarketEvent[] = [];
      await bus.subscribe(() => {
        throw new Error("a fault of its own");
      });
      await bus.subscribe(async () => {
        throw new Error("a late fault");
      });
      await bus.subscribe((event) => heard.push(event));
      await bus.publish(replaced("GC"));
      await bus.publish(replaced("SI"));
      await vi.waitFor(() => expect(names(heard)).toEqual(["GC", "SI"]), { timeout: 5_000 });
      await vi.waitFor(() => expect(bench.errors).toHaveLength(4), { timeout: 5_000 });
    });

    test("delivers nothing after a subscription has ended", async () => {
      const ended: MarketEvent[] = [];
      const standing: MarketEvent[] = [];
      const end = await bus.subscribe((event) => ended.push(event));
      await bus.subscribe((event) => standing.push(event));
      await end();
      await end();
      await bus.publish(replaced("GC"));
      await vi.waitFor(() => expect(names(standing)).toEqual(["GC"]), { timeout: 5_000 });
      expect(ended).toEqual([]);
    });

    test("accepts a new subscription after the last one has ended", async () => {
      const heard: MarketEvent[] = [];
      await (await bus.subscribe(() => {}))();
      await bus.publish(replaced("unheard"));
      await bus.subscribe((event) => heard.push(event));
      await bus.publish(replaced("heard"));
      await vi.waitFor(() => expect(names(heard)).toEqual(["heard"]), { timeout: 5_000 });
    });

    test("keeps the order for all when a handler publishes", async () => {
      const heard: MarketEvent[] = [];
      await bus.subscribe((event) => {
        if (event.kind === "bars-replaced" && event.symbol === "first") void bus.publish(replaced("second"));
      });
      await bus.subscribe((event) => heard.push(event));
      await bus.publish(replaced("first"));
      await vi.waitFor(() => expect(names(heard)).toEqual(["first", "second"]), { timeout: 5_000 });
    });

    test("reports no gap while none occurs", async () => {
      const gaps: string[] = [];
      const heard: MarketEvent[] = [];
      const onGap = ({ reason }: { reason: string }) => gaps.push(reason);
      await bus.subscribe((event) => heard.push(event), { onGap });
      for (let at = 0; at < 20; at++) await bus.publish(replaced(`S${at}`));
      await vi.waitFor(() => expect(heard).toHaveLength(20), { timeout: 5_000 });
      expect(gaps).toEqual([]);
    });
  });
