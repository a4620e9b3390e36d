/** The bound of an exchange. */
import { Server } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { exchange, MAX_EXCHANGE_MS } from "./agent-server.ts";

test("an exchange that a tool never answers ends after 60 seconds, and its call is aborted", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const server = new Server({ name: "test", version: "1.0.0" }, { capabilities: { tools: {} } });
  const started = new Promise<AbortSignal>((start) => {
    server.setRequestHandler("tools/call", (_, { mcpReq }) => {
      start(mcpReq.signal);
      return new Promise(() => {});
    });
  });
  const request = new Request("http://127.0.0.1/mcp", { method: "POST", headers: { "Content-Type": "application/json" } });
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } };
  const answered = exchange(request, body, server, (error) => expect.fail(error.message));
  const signal = await started;
  await vi.advanceTimersByTimeAsync(MAX_EXCHANGE_MS - 1);
  expect(signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  const response = await answered;
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { message: "The request took longer than 60 seconds." }, id: null });
  expect(signal.aborted).toBe(true);
});
