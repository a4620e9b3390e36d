/** One walk with the SDK through a real service: exact figures, receipts, pages, errors by class, keys. */
import { contract, DAY_MS } from "@assay/contract";
import {
  Assay,
  type Bar,
  Decimal,
  InvalidSymbolError,
  PlanGatedError,
  PublishedDecimal,
  RangeTooDeepError,
  ValidationError,
} from "@assay/sdk";
import { type ReceiptKeys, verifyReceipt } from "@assay/sdk/receipts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, read } from "./harness/call.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { type Service, startService } from "./harness/service.ts";

let folder: Folder;
let service: Service;
let keys: TierKeys;
let pro: Assay;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService({ DATA_DIR: folder.path });
  keys = await readDemoKeys(folder.path);
  pro = new Assay({ apiKey: keys.pro, baseUrl: service.url });
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

/** A client without retries. */
const impatient = (apiKey?: string): Assay => new Assay({ apiKey, baseUrl: service.url, maxRetries: 0 });

describe("a price", () => {
  it("keeps the published digits, and is a Decimal", async () => {
    const call = pro.spot.get("gold", { include: ["sources", "karat"] });
    const [row, wire] = [await call, await call.raw()];
    expect(row.price).toBeInstanceOf(PublishedDecimal);
    expect(row.price).toBeInstanceOf(Decimal);
    expect(String(row.price)).toBe(wire.price);
    expect(row.priceGram18k?.text).toBe(wire.price_gram_18k);
    expect(row.computedAt?.getTime()).toBe(Date.parse(wire.computed_at ?? ""));
    expect(row.sources?.map((source) => source.price?.text)).toEqual(wire.sources?.map((source) => source.price));
    expect(JSON.parse(JSON.stringify(row.price))).toBe(wire.price);
  });
});

describe("a receipt", () => {
  it("of every route that has them verifies offline, and holds the answer to the same question", async () => {
    const answer = await fetch(`${service.url}/.well-known/jwks.json`);
    const jwks = (await answer.json()) as ReceiptKeys; // the contract's own
    const weight = { from: "XAU", to: "EUR", amount: new Decimal("2.5"), unit: "gram" } as const;
    const asked = [
      [
        "GET /v1/spot/{symbol}",
        pro.spot.receipt("gold", { include: ["karat"] }),
        { symbol: "XAU", price_gram_24k: expect.any(String) },
      ],
      ["GET /v1/convert", pro.convert.receipt(weight), { from: "XAU", to: "EUR", amount: "2.5", unit: "gram" }],
      ["GET /v1/carat", pro.carat.receipt({ currency: "EUR" }), { currency: "EUR" }],
    ] as const;
    for (const [route, call, body] of asked) {
      const { data, requestId, rateLimit, response } = await call.withResponse();
      expect(response.headers.get("content-type")).toBe("application/jose");
      expect(rateLimit?.windows.month?.remaining).toBeTypeOf("number");
      const receipt = await verifyReceipt(data, { jwks, issuer: service.url });
      expect(receipt).toMatchObject({ route, requestId, body });
      expect(Math.abs(receipt.issuedAt.getTime() - Date.now())).toBeLessThan(60_000);
    }
  });
});

describe("bars", () => {
  const window = { symbol: "XAU/USD", from: "2019-12-30", to: "2020-12-31", limit: 100 } as const;

  it("are paged in both orders, and are what a caller without the SDK reads", async () => {
    const down = await pro.bars.list(window).toArray();
    const up: Bar[] = [];
    for await (const bar of pro.bars.list({ ...window, order: "asc" })) up.push(bar);
    expect(up.toReversed()).toEqual(down);
    const plain = await read(service.url, contract.bars.list, { ...window, limit: 10_000 }, { key: keys.pro });
    expect(down.map((bar) => `${bar.barStart.toISOString()} ${bar.close}`)).toEqual(
      plain.bars.map((bar) => `${new Date(bar.bar_start).toISOString()} ${bar.close}`),
    );
    expect(down.length).toBeGreaterThan(250);
  });
});

describe("a refusal", () => {
  it("has the class of its code, with its fields", async () => {
    const gated = await impatient(keys.free)
      .spot.get("silver")
      .catch((error: unknown) => error);
    expect(gated).toBeInstanceOf(PlanGatedError);
    expect(gated).toMatchObject({
      status: 403,
      code: "plan_gated",
      tier: "free",
      requiredTier: "pro",
      requestId: expect.any(String),
    });
    const symbol = await pro.spot.get("garbage").catch((error: unknown) => error);
    expect(symbol).toBeInstanceOf(InvalidSymbolError);
    expect(symbol).toMatchObject({ symbol: "garbage", hint: expect.stringContaining("BASE-QUOTE-CONTRACT") });
    const parameter = await pro.bars
      .list({ symbol: "XAU/USD", from: "2026-02-30", to: "2026-03-01" })
      .then(null, (error: unknown) => error);
    expect(parameter).toBeInstanceOf(ValidationError);
    expect(parameter).toMatchObject({ issues: [expect.objectContaining({ path: ["query", "from"] })] });
    await expect(
      impatient(keys.free).bars.list({ symbol: "XAU/USD", from: "2020-01-01", to: "2020-02-01" }),
    ).rejects.toBeInstanceOf(RangeTooDeepError);
  });
});

describe("keys", () => {
  it("are minted, listed and revoked, and a repeated mint under one Idempotency-Key mints once", async () => {
    const basic = new Assay({ apiKey: keys.basic, baseUrl: service.url });
    const idempotencyKey = `sdk-${process.pid}`;
    const minted = await basic.account.mintKey({ name: "ci" }, { idempotencyKey });
    expect(await basic.account.mintKey({ name: "ci" }, { idempotencyKey })).toEqual(minted);
    expect(minted.previousKeyRevokesAt?.getTime()).toBeGreaterThan(Date.now() + DAY_MS - 60_000);
    const fresh = new Assay({ apiKey: minted.plaintext, baseUrl: service.url });
    expect((await fresh.account.listKeys()).map((key) => key.id)).toContain(minted.id);
    await fresh.account.revokeKey(minted.id);
    expect((await ask(service.url, "/v1/account/keys", { key: minted.plaintext })).status).toBe(401);
  });
});

describe("ratios, settlements and the forward view", () => {
  it("are paged oldest first and newest first alike, and their figures are exact decimals", async () => {
    const asked = { pair: "gold-silver", from: "2026-01-01", to: "2026-02-15", limit: 7 } as const;
    const newestFirst = await pro.ratios.list(asked).toArray();
    const oldestFirst = await pro.ratios.list({ ...asked, order: "asc" }).toArray();
    expect(newestFirst).toHaveLength(46);
    expect(oldestFirst.map(({ date }) => date)).toEqual(newestFirst.map(({ date }) => date).reverse());
    for (const { ratio, numeratorClose, denominatorClose } of newestFirst) {
      expect(numeratorClose.div(denominatorClose).minus(ratio).abs().lte("0.0001")).toBe(true);
    }
    const { settlements } = await pro.settlements.list({ symbol: "SI", limit: 3 });
    expect(settlements).toHaveLength(3);
    for (const row of settlements) {
      expect(
        row.settlementPrice
          ?.minus(row.priorSettlement ?? 0)
          .minus(row.changeValue ?? 0)
          .abs()
          .lte("0.0002"),
      ).toBe(true);
    }
    const view = await pro.forwardView.get("XAU");
    expect(view.horizons[0]?.futures?.settleUsd).toBeInstanceOf(Decimal);
  });
});
