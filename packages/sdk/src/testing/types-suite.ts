/** Typed consumers of the installed package, and the suite that compiles them. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Project } from "./packed.ts";

/** The code of a typed consumer; lines marked as errors must be errors. */
const TYPED = `
import { Assay, type Bar, CURRENCIES, Decimal, type ErrorCode, Http5xxError, INTERVALS, PlanGatedError, type PublishedDecimal, type Wire } from "@assay/sdk";

const assay = new Assay({ apiKey: null, baseUrl: "http://127.0.0.1:1", timeoutMs: 1_000 });

export const work = async (): Promise<Decimal> => {
  const { data, requestId } = await assay.prices.list({ include: ["karat"] }).withResponse();
  const price: PublishedDecimal | undefined = data.symbols[0]?.price;
  const raw: Wire.SpotRow = await assay.spot.get("gold").raw();
  const text: string | undefined = raw.price;
  const window = { symbol: "XAU-USD-SPOT", from: new Date(0), to: "2026-01-01", interval: "1d" } as const;
  const bars: Bar[] = await assay.bars.list({ ...window, order: "asc", closedOnly: true }).toArray({ limit: 10 });
  for await (const bar of assay.bars.list(window)) bars.push(bar);
  const divergence = await assay.prices.divergence();
  const count: number = divergence.diverged ? divergence.diverged.length : divergence.divergedCount;
  try {
    await assay.account.revokeKey("k1", { signal: AbortSignal.timeout(100) });
  } catch (error) {
    if (error instanceof PlanGatedError) console.log(error.requiredTier, error.status, error.retryAfter);
    if (error instanceof Http5xxError) console.log(error.status, error.code satisfies ErrorCode | (string & {}) | null);
  }
  const other: Assay = assay.withOptions({ fetchOptions: { dispatcher: {} } });
  const response: Response = await other.spot.get("XAU-EUR-SPOT").asResponse();
  const first: "AUD" = CURRENCIES[0];
  const lengths: readonly string[] = [...INTERVALS, first, response.statusText];
  if (lengths.length === 0 && price) {
    // @ts-expect-error a figure is no number
    console.log(price > 5_000);
    // @ts-expect-error figures are added by plus
    console.log(price + price);
  }
  // @ts-expect-error no such group
  void assay.prices.list({ include: ["karats"] });
  // @ts-expect-error no such interval
  void assay.bars.latest({ symbol: "GC", interval: "3m" });
  return new Decimal(text ?? 0).plus(price ?? 0).plus(bars.length + count + (requestId?.length ?? 0));
};
`;

const MOCKS = `
import { mockAssay, mockStream } from "@assay/sdk/msw";
import { Assay } from "@assay/sdk/stream";

const stream = mockStream();
export const streaming = mockAssay({ baseUrl: "http://assay.test", stream });
export const assay = new Assay({ baseUrl: "http://assay.test", apiKey: "k", WebSocket: stream.WebSocket });
export const play = async (): Promise<void> => {
  await stream.tick("XAU-USD-SPOT", "4003.20");
  await stream.close(1012);
  stream.refuse("plan_gated");
  // @ts-expect-error no such reason
  await stream.gap("XAU-USD-SPOT", 3, "lost");
  // @ts-expect-error decimal text alone
  await stream.tick("XAU-USD-SPOT", 4003.2);
};

export const handlers = mockAssay({ baseUrl: "http://assay.test", spot: { get: ({ fail }) => fail("not_found") } });
// @ts-expect-error a code the route never answers
mockAssay({ baseUrl: "http://assay.test", spot: { get: ({ fail }) => fail("unknown_pair") } });
`;

const STREAMS = `
import { Assay, PlanGatedError, type PublishedDecimal, STREAM_SYMBOLS, type StreamEvent } from "@assay/sdk/stream";

const assay = new Assay({ apiKey: "k", baseUrl: "http://127.0.0.1:1" });

export const follow = async (): Promise<PublishedDecimal | undefined> => {
  const resume = { "XAU-USD-SPOT": { seq: 1841, computedAt: new Date(0) }, "XAG-USD-SPOT": 7 };
  const events = assay.stream.subscribe({ symbols: STREAM_SYMBOLS, channels: ["physical:AE"], fillGaps: "bars", resume });
  await events[Symbol.asyncDispose]();
  events.add(["HG-USD-SPOT"]);
  try {
    for await (const event of events) {
      if (event.type === "tick") return event.price;
      if (event.type === "gap") console.log(event.bars?.[0]?.close, event.fromSeq);
      if (event.type === "status" && event.status === "reconnecting") console.log(event.delayMs, event.reason);
    }
  } catch (error) {
    if (error instanceof PlanGatedError) console.log(error.code, error.requiredTier, error.tier ?? "unknown");
  }
  // A symbol that an operator's catalogue may have.
  void assay.stream.subscribe({ symbols: ["XPT-USD-SPOT"] });
  // @ts-expect-error no such channel
  void assay.stream.subscribe({ channels: ["physical:XX"] });
  // @ts-expect-error no channels over server-sent events
  void assay.stream.subscribe({ transport: "sse", symbols: ["XAU-USD-SPOT"], channels: ["physical:AE"] });
  return undefined;
};
export type Event = StreamEvent;
`;

const TRPC_TYPED = `
import { createTRPCClient } from "@trpc/client";
import { type AppRouter, assayLink, type Wire, wireErrorOf } from "@assay/sdk/trpc";

const assay = createTRPCClient<AppRouter>({ links: [assayLink({ baseUrl: "http://127.0.0.1:1" })] });

export const work = async (): Promise<string | undefined> => {
  const row: Wire.SpotRow = await assay.spot.get.query({ symbol: "gold" });
  const { symbols } = await assay.prices.list.query();
  const minted: Wire.MintedKey = await assay.account.mintKey.mutate({ name: "ci" });
  try {
    await assay.bars.list.query({ symbol: "GC", from: "2026-01-01", to: "2026-01-31", interval: "1h" });
  } catch (error) {
    const refused = wireErrorOf(error);
    if (refused?.error === "plan_gated") return refused.required_tier;
  }
  // @ts-expect-error no such interval
  void assay.bars.latest.query({ symbol: "GC", interval: "3m" });
  // @ts-expect-error the symbol is required
  void assay.spot.get.query({});
  // @ts-expect-error minting is a mutation
  void assay.account.mintKey.query;
  return row.price ?? symbols[0]?.price ?? minted.plaintext;
};
`;

/** The strictest settings a consumer compiles with. */
export const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  target: "es2023",
};

/**
 * Declares the suite for one compiler.
 * @param name the name in test titles
 * @param tsc the path of the compiler
 * @param project returns the project with the package installed, once the suites run
 */
export const typesSuite = (name: string, tsc: string, project: () => Project): void => {
  describe(`${name}, strict and without skipLibCheck`, () => {
    const check = async (compilerOptions: object, files: readonly string[]): Promise<string> => {
      const config = `tsconfig.${name.replace(/\W/g, "-")}.json`;
      await project().write(config, JSON.stringify({ compilerOptions: { ...STRICT, ...compilerOptions }, files }));
      return project().node(tsc, "-p", config);
    };
    beforeAll(async () => {
      await project().write("typed.mts", TYPED);
      await project().write("typed.cts", TYPED);
      await project().write("streams.mts", STREAMS);
      await project().write("streams.cts", STREAMS);
      await project().write("mocks.mts", MOCKS);
      await project().write("mocks.cts", MOCKS);
    });

    test("the types work for an ESM and a CommonJS consumer on Node", async () => {
      expect(
        await check({ module: "nodenext", lib: ["es2023"], types: ["node"] }, [
          "typed.mts",
          "typed.cts",
          "streams.mts",
          "streams.cts",
        ]),
      ).toBe("");
    });

    test("the types work for a bundled consumer with the types of a browser", async () => {
      const bundled = { module: "esnext", moduleResolution: "bundler", lib: ["es2023", "dom", "dom.iterable"], types: [] };
      expect(await check(bundled, ["typed.mts", "streams.mts"])).toBe("");
    });

    test("the types of mocks work in both kinds of module", async () => {
      const mocking = { module: "nodenext", lib: ["es2023", "dom"], types: ["node"] };
      expect(await check(mocking, ["mocks.mts"])).toBe("");
      // msw's own types for require name an ESM-only package, which the older compiler rejects.
      expect(await check({ ...mocking, skipLibCheck: true }, ["mocks.cts"])).toBe("");
    });
  });

  describe(`a tRPC client under ${name}`, () => {
    test("knows every procedure, input, answer and refusal, in both kinds of module", async () => {
      await project().write("trpc.mts", TRPC_TYPED);
      await project().write("trpc.cts", TRPC_TYPED);
      const config = `tsconfig.trpc.${name.replace(/\W/g, "-")}.json`;
      // tRPC's own declarations use browser types.
      const compilerOptions = { ...STRICT, module: "nodenext", lib: ["es2023", "dom"], types: ["node"], skipLibCheck: true };
      await project().write(config, JSON.stringify({ compilerOptions, files: ["trpc.mts", "trpc.cts"] }));
      expect(await project().node(tsc, "-p", config)).toBe("");
    });
  });
};
