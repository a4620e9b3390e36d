/** A WebSocket class connected to a mocked stream, on any runtime: no network, and no WebSocket of the runtime needed. */
import { type ClientFrame, PHYSICAL_CHANNELS, STREAM_CLOSES, STREAM_LIMITS, STREAM_SYMBOLS } from "../generated/stream.ts";
import type { StreamName } from "../stream/events.ts";
import type { MockHub, MockPeer } from "./mock-peer.ts";

const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];
const NAMES: ReadonlySet<string> = new Set([...STREAM_SYMBOLS, ...PHYSICAL_CHANNELS]);

type Handler = ((event: never) => void) | null;

/**
 * Creates a WebSocket class connected to a mocked stream.
 * @param hub the stream
 */
export const mockSocketClass = (hub: MockHub): (new (url: string, options?: never) => object) =>
  class MockWebSocket implements MockPeer {
    readonly transport = "websocket";
    readonly names = new Set<StreamName>();
    key: string | null = null;
    readyState = CONNECTING;
    onmessage: Handler = null;
    onerror: Handler = null;
    onclose: Handler = null;
    #onopen: Handler = null;

    get onopen(): Handler {
      return this.#onopen;
    }

    /** Opens once a listener is attached, in a later turn as a real one does. */
    set onopen(listener: Handler) {
      this.#onopen = listener;
      queueMicrotask(() => {
        if (this.readyState !== CONNECTING) return;
        this.readyState = OPEN;
        this.#tell(this.#onopen, {});
      });
    }

    send(frame: string | object): void {
      if (typeof frame === "string") queueMicrotask(() => this.#take(JSON.parse(frame)));
      else queueMicrotask(() => this.readyState === OPEN && this.#tell(this.onmessage, { data: JSON.stringify(frame) }));
    }

    end(close: number, code: string | null): void {
      if (code !== null) this.send({ type: "error", code, message: `The mock ends the stream: ${code}.`, fatal: true });
      queueMicrotask(() => this.close(close));
    }

    close(code = 1000): void {
      if (this.readyState === CLOSED) return;
      this.readyState = CLOSED;
      hub.leave(this);
      queueMicrotask(() => this.#tell(this.onclose, { code, reason: "" }));
    }

    #tell(listener: Handler, event: object): void {
      listener?.(event as never); // each listener's event type, by its name
    }

    #take(frame: ClientFrame): void {
      if (this.readyState !== OPEN) return;
      if (frame.action === "auth") this.#welcome(frame.api_key);
      else if (frame.action === "ping") this.send({ type: "pong", id: frame.id, ts: new Date().toISOString() });
      else this.#follow(frame);
    }

    #welcome(key: string): void {
      this.key = key;
      const { refusal } = hub;
      if (refusal !== null) {
        this.end(STREAM_CLOSES[refusal], refusal);
        return;
      }
      hub.enter(this);
      this.send({
        type: "welcome",
        connection_id: "mock",
        tier: "realtime_pro",
        heartbeat_interval_seconds: STREAM_LIMITS.heartbeatMs / 1_000,
        max_symbols: 8,
        max_connections: 10,
        server_time: new Date().toISOString(),
      });
    }

    #follow(frame: Exclude<ClientFrame, { action: "auth" | "ping" }>): void {
      const asked = [...(frame.symbols ?? []), ...(frame.channels ?? [])];
      const known = asked.filter((name): name is StreamName => NAMES.has(name));
      const joins = frame.action === "subscribe";
      for (const name of known) joins ? this.names.add(name) : this.names.delete(name);
      const isSymbol = (name: string): boolean => (STREAM_SYMBOLS as readonly string[]).includes(name); // compared as text
      this.send({
        type: joins ? "subscribed" : "unsubscribed",
        id: frame.id,
        symbols: [...this.names].filter(isSymbol),
        channels: [...this.names].filter((name) => !isSymbol(name)),
        rejected: asked.filter((name) => !NAMES.has(name)).map((name) => ({ name, code: "invalid_symbol" })),
      });
      const resume: Readonly<Record<string, number>> = ("resume" in frame && frame.resume) || {};
      if (joins) for (const name of known) for (const due of hub.framesFor(name, resume[name] ?? null)) this.send(due);
      hub.changed();
    }
  };
