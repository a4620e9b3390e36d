/** One walk through every door of a running service, as a newcomer has it: `npm start` on an empty folder. */
import { contract, isChanging } from "@assay/contract";
import { EVERY_ROUTE, namedRoutes, sampleInput } from "@assay/contract-test/requests";
import { Assay, type TickEvent } from "@assay/sdk/stream";
import { type AppRouter, assayLink } from "@assay/sdk/trpc";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createTRPCClient } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ask, askRoute, read } from "./harness/call.ts";
import { CONSOLE_PAGES, digitsIn, SETTLED } from "./harness/console.ts";
import { describeConsoles } from "./harness/console-suite.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { IMPORT, runEntry, type Service, startAnew } from "./harness/service.ts";

const GOLD = "XAU-USD-SPOT";

let folder: Folder;
let service: Service;
let keys: TierKeys;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startAnew({ DATA_DIR: folder.path, DISABLE: "download" });
  keys = await readDemoKeys(folder.path);
}, 240_000);
afterAll(async () => {
  const { code } = await service.stop();
  await folder.remove();
  expect(code, service.stderr()).toBe(0);
});

describe("every route", () => {
  const reading = namedRoutes(EVERY_ROUTE).filter(({ route }) => !isChanging(route) && route.output !== undefined);
  const isJson = ({ name, route }: (typeof reading)[number]): boolean =>
    route.success.status === 200 && !name.startsWith("streams.") && !/\{\w*id\}/.test(route.path);

  it.each(reading.filter(isJson))("$name answers its simplest request as the contract declares", async ({ route }) => {
    const input = sampleInput(route, Date.now()) as never; // the route's own schema made it
    const { status, json, text } = await askRoute(service.url, route, input, { key: keys.realtime_pro });
    expect(status, text.slice(0, 300)).toBe(200);
    expect(route.output.safeParse(json).error).toBeUndefined();
  });

  it("that is switched off says so", async () => {
    const answer = await ask(service.url, `/v1/download?symbol=${GOLD}&interval=1d&year=2025`, { key: keys.pro });
    expect([answer.status, answer.json]).toMatchObject([404, { error: "disabled" }]);
  });

  it("wants a key where the contract says so", async () => {
    expect((await ask(service.url, "/v1/account/usage")).status).toBe(401);
    expect((await ask(service.url, "/v1/spot/gold", { key: "nonsense" })).status).toBe(401);
  });
});

describe("the same price", () => {
  const ticksOf = async (transport: "sse" | "websocket", apiKey: string, count: number): Promise<TickEvent[]> => {
    const assay = new Assay({ apiKey, baseUrl: service.url, logLevel: "off" });
    const subscription = assay.stream.subscribe({ transport, symbols: [GOLD] });
    onTestFinished(() => subscription.close());
    const ticks: TickEvent[] = [];
    for await (const event of subscription) {
      if (event.type === "tick") ticks.push(event);
      if (ticks.length === count) break;
    }
    return ticks;
  };

  it("comes over SSE and over WebSocket, under one number", async () => {
    const [sse, ws] = await Promise.all([ticksOf("sse", keys.pro, 4), ticksOf("websocket", keys.realtime_pro, 4)]);
    const bySeq = new Map(ws.map((tick) => [tick.seq, tick]));
    const both = sse.filter(({ seq }) => bySeq.has(seq));
    expect(both.length).toBeGreaterThan(0);
    for (const { seq, price, computedAt } of both) expect(bySeq.get(seq)).toMatchObject({ price, computedAt });
  });

  it("comes over REST, tRPC and MCP", async () => {
    const window = { symbol: GOLD, interval: "1d", from: "2026-01-01", to: "2026-01-31" } as const;
    const rest = await read(service.url, contract.bars.list, window, { key: keys.pro });
    const trpc = createTRPCClient<AppRouter>({ links: [assayLink({ baseUrl: service.url, apiKey: keys.pro })] });
    expect(await trpc.bars.list.query(window)).toEqual(rest);
    const mcp = new Client({ name: "walk", version: "1" });
    onTestFinished(() => mcp.close());
    const headers = { authorization: `Bearer ${keys.pro}` };
    await mcp.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }));
    const { tools } = await mcp.listTools();
    const name = tools.find((tool) => tool.name.includes("bars"))?.name ?? "";
    const { structuredContent } = await mcp.callTool({ name, arguments: window });
    expect(structuredContent).toEqual(rest);
  });
});

it("an import is served without a restart", async () => {
  // Before the first day of the simulated past.
  const days = ["1990-01-02", "1990-01-03"];
  const rows = days.map((day, index) => `${day},400.10,40${index + 1}.00,399.00,400.50,${index + 1}`);
  const path = await folder.write("gold.csv", `time,Open,High,Low,Close,Volume\n${rows.join("\n")}\n`);
  const args = ["--symbol", "GC", "--interval", "1d", "--timezone", "UTC", path];
  expect(await runEntry(IMPORT, { DATA_DIR: folder.path }, args)).toMatchObject({ code: 0 });
  const query = { symbol: "GC", interval: "1d", from: "1990-01-01", to: "1990-01-31" } as const;
  const { bars } = await read(service.url, contract.bars.list, query, { key: keys.realtime_pro });
  expect(bars).toMatchObject([
    { open: "400.10", high: "402.00", volume: "2" },
    { open: "400.10", high: "401.00", volume: "1" },
  ]);
});

describeConsoles("the console", (consoles) => {
  it("shows the price of gold, and asks and complains of nothing", async () => {
    const { page, close } = await consoles.open(service.url, "");
    await page.locator(SETTLED[""]).waitFor();
    expect(await page.locator("h1").first().textContent()).toContain(CONSOLE_PAGES[""]);
    expect((await digitsIn(page, ".market[class]")).length).toBeGreaterThan(0);
    await close();
    expect(consoles.faults()).toEqual({ foreign: [], complaints: [] });
  });
});
