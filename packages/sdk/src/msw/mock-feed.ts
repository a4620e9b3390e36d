/** The mocked server-sent events feed. */
import { type HttpHandler, HttpResponse, http } from "msw";
import { SSE_PATH, SSE_SYMBOLS, type SseSymbol, sseId } from "../generated/stream.ts";
import type { MockHub, MockPeer, RefusedStream } from "./mock-peer.ts";
import { keyOf } from "./read-request.ts";
import { Refusal, refusalResponse } from "./refusal.ts";

/** Refusals as the feed's route sends them. */
const refusalOf = (cause: RefusedStream): Refusal => {
  if (cause === "unauthenticated") return new Refusal("invalid_api_key");
  if (cause === "plan_gated") return new Refusal("plan_gated", { tier: "free", required_tier: "pro" });
  if (cause === "auth_unavailable") return new Refusal("auth_unavailable");
  const reset_at = new Date(Date.now() + 5_000).toISOString();
  return new Refusal("rate_limit_exceeded", { limit: 3, window: "streams", retry_after_seconds: 5, reset_at });
};

const eventOf = (frame: object): string => {
  const { type, symbol, seq } = frame as { readonly type?: string; readonly symbol?: string; readonly seq?: number };
  const head = type === "tick" ? `id: ${sseId(symbol ?? "", seq ?? 0)}` : `event: ${type}`;
  return `${head}\ndata: ${JSON.stringify(frame)}\n\n`;
};

const lastOf = (request: Request): number | null => {
  const seq = Number(request.headers.get("last-event-id")?.split(":").at(-1) ?? Number.NaN);
  return Number.isInteger(seq) ? seq : null;
};

const feedOf = (request: Request, symbol: SseSymbol, hub: MockHub): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  let peer: MockPeer;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const write = (text: string): void => controller.enqueue(encoder.encode(text));
      peer = {
        transport: "sse",
        key: keyOf(request),
        names: new Set([symbol]),
        send: (frame) => write(eventOf(frame)),
        end: (_, code) => {
          if (code !== null) write(eventOf({ type: "error", code, message: `The mock ends the stream: ${code}.`, fatal: true }));
          hub.leave(peer);
          controller.close();
        },
      };
      write("retry: 3000\n\n");
      for (const frame of hub.framesFor(symbol, lastOf(request))) peer.send(frame);
      hub.enter(peer);
      hub.changed();
    },
    cancel: () => hub.leave(peer),
  });
};

/**
 * A handler for the feed.
 * @param base the mocked base URL, without a trailing slash
 * @param hub the stream
 */
export const mockFeed = (base: string, hub: MockHub): HttpHandler =>
  http.get(`${base}${SSE_PATH}`, ({ request }) => {
    const requestId = request.headers.get("x-request-id") ?? "mock-request";
    const { refusal } = hub;
    if (refusal !== null) return refusalResponse(refusalOf(refusal), requestId);
    const asked = new URL(request.url).searchParams.get("symbol");
    const symbol = SSE_SYMBOLS.find((name) => name === asked);
    if (symbol === undefined) {
      const hint = `The feed carries ${SSE_SYMBOLS.join(" and ")}.`;
      return refusalResponse(new Refusal("invalid_symbol", { symbol: asked ?? "", hint }), requestId);
    }
    const headers = {
      "content-type": "text/event-stream; charset=utf-8",
      "x-request-id": requestId,
      "cache-control": "no-store",
    };
    return new HttpResponse(feedOf(request, symbol, hub), { headers });
  });
