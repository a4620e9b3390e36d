/** `assay.stream`: subscriptions over WebSocket or server-sent events. */
import type { ClientOptions } from "../core/options.ts";
import { redactorOf } from "../core/redact.ts";
import { type Settings, settingsFrom } from "../core/settings.ts";
import { errorRegistry } from "../generated/errors.ts";
import type { BarsResource } from "../generated/resources/bars.ts";
import { STREAM_PATH } from "../generated/stream.ts";
import type { StreamName } from "./events.ts";
import type { OpenLink } from "./link.ts";
import { type SubscribeOptions, subscriptionSettings, type Transport } from "./options.ts";
import { sseLinks } from "./sse-link.ts";
import { Subscription, type WireView } from "./subscription.ts";
import { realStreamSurroundings, type StreamSurroundings } from "./surroundings.ts";
import { wsLinks } from "./ws-link.ts";

/** REST headers not used in a WebSocket's handshake: its key goes into its first frame. */
const REST_HEADERS: ReadonlySet<string> = new Set(["accept", "authorization", "x-api-key"]);

/** Live ticks, dealers' quotes, gaps and heartbeats. The key is in no property that can be printed or enumerated. */
export class StreamResource {
  readonly #options: ClientOptions;
  readonly #settings: Settings;
  readonly #bars: BarsResource;
  readonly #surroundings: StreamSurroundings;

  /** Created by the client. */
  constructor(options: ClientOptions, bars: BarsResource, surroundings: StreamSurroundings = realStreamSurroundings) {
    this.#options = options;
    this.#settings = settingsFrom(options);
    this.#bars = bars;
    this.#surroundings = surroundings;
  }

  /**
   * Follows symbols and channels. It connects when the loop starts, reconnects when the connection is lost, and closes when the
   * loop ends. Ticks arrive in order and once; skipped numbers are reported by a `gap` before.
   *
   * @example
   * ```ts
   * for await (const event of assay.stream.subscribe({ symbols: ["XAU-USD-SPOT"] })) {
   *   if (event.type === "tick") console.log(event.seq, event.price.text);
   * }
   * ```
   * @param options what to follow, and how
   * @returns events to be read by one loop, with `add`, `remove` and `close`
   * @throws {TypeError} for an invalid option, a name the transport does not support, or a client without a key
   * @throws {RangeError} when a number is out of range
   */
  subscribe(options: SubscribeOptions): Subscription {
    const settings = subscriptionSettings(options);
    const { apiKey, timeoutMs, logger } = this.#settings;
    if (apiKey === null) throw new TypeError("a stream needs a key; pass apiKey to the client");
    return new Subscription(
      {
        links: this.#links(apiKey, settings.transport),
        connectWithinMs: timeoutMs,
        bars: this.#bars,
        logger,
        surroundings: this.#surroundings,
      },
      settings,
    );
  }

  #links(apiKey: string, transport: Transport): (view: WireView, name: StreamName | null) => OpenLink {
    const { baseUrl, headers, logger } = this.#settings;
    const { fetchOptions, WebSocket } = this.#options;
    const surroundings = this.#surroundings;
    const redact = redactorOf(apiKey);
    if (transport === "websocket") {
      const url = `${baseUrl.replace(/^http/, "ws")}${STREAM_PATH}`;
      const handshake = Object.fromEntries(Object.entries(headers).filter(([name]) => !REST_HEADERS.has(name)));
      const socket = { headers: handshake, fetchOptions, WebSocket };
      return (view) => wsLinks({ url, apiKey, socket, logger, redact, surroundings, ...view });
    }
    const { fetch } = this.#settings;
    const parts = { baseUrl, headers, fetch, errors: errorRegistry, redact, nowMs: surroundings.nowMs };
    return (view, name) => sseLinks({ ...parts, seqOf: view.seqOf }, name ?? "XAU-USD-SPOT"); // a feed always has its name
  }
}
