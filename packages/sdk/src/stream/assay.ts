/** The client with streams: `assay.stream` subscribes over WebSocket or server-sent events. */
import type { ClientOptions } from "../core/options.ts";
import { type Settings, settingsFrom } from "../core/settings.ts";
import { Assay as RestAssay } from "../generated/assay.ts";
import type { BarsResource } from "../generated/resources/bars.ts";
import { STREAM_PATH } from "../generated/stream.ts";
import { realStreamClock, type StreamClock } from "./connection.ts";
import type { StreamName } from "./events.ts";
import type { OpenLink } from "./link.ts";
import { type SubscribeOptions, subscriptionSettings, type Transport } from "./options.ts";
import { SseLink } from "./sse-link.ts";
import { Subscription, type WireView } from "./subscription.ts";
import { WsLink } from "./ws-link.ts";

/** REST headers not used in a WebSocket's handshake: its key goes into its first frame. */
const REST_HEADERS: ReadonlySet<string> = new Set(["accept", "authorization", "x-api-key"]);

/** Live ticks, dealers' quotes, gaps and heartbeats. The key is in no property that can be printed or enumerated. */
export class StreamResource {
  readonly #options: ClientOptions;
  readonly #settings: Settings;
  readonly #bars: BarsResource;
  readonly #clock: StreamClock;

  /** Created by the client. */
  constructor(options: ClientOptions, bars: BarsResource, clock: StreamClock = realStreamClock) {
    this.#options = options;
    this.#settings = settingsFrom(options);
    this.#bars = bars;
    this.#clock = clock;
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
   * @throws {TypeError} for an invalid option, or a name the transport does not support
   * @throws {RangeError} when a number is out of range
   */
  subscribe(options: SubscribeOptions): Subscription {
    const settings = subscriptionSettings(options);
    const { apiKey, timeoutMs, logger } = this.#settings;
    return new Subscription(
      {
        links: this.#links(apiKey, settings.transport),
        connectWithinMs: timeoutMs,
        bars: this.#bars,
        logger,
        clock: this.#clock,
      },
      settings,
    );
  }

  #links(apiKey: string | null, transport: Transport): (view: WireView, name: StreamName | null) => OpenLink {
    const { baseUrl, headers, fetch, logger, redact } = this.#settings;
    const { fetchOptions, WebSocket } = this.#options;
    const clock = this.#clock;
    if (transport === "websocket") {
      const url = `${baseUrl.replace(/^http/, "ws")}${STREAM_PATH}`;
      const handshake = Object.fromEntries(Object.entries(headers).filter(([name]) => !REST_HEADERS.has(name)));
      const socket = { headers: handshake, fetchOptions, WebSocket };
      const deps = { url, apiKey, socket, logger, redact, clock };
      return (view) => (events) => new WsLink({ ...deps, ...view }, events);
    }
    const deps = { baseUrl, headers, fetch, redact, nowMs: clock.nowMs };
    const nameOf = (name: StreamName | null): StreamName => name ?? "XAU-USD-SPOT"; // a feed always has its name
    return ({ seqOf }, name) =>
      (events) =>
        new SseLink({ ...deps, seqOf }, nameOf(name), events);
  }
}

/**
 * The client of `@assay/sdk`, with streams in addition to its resources.
 *
 * @example
 * ```ts
 * const assay = new Assay({ apiKey: process.env.ASSAY_API_KEY, baseUrl: "https://prices.example.com" });
 *
 * for await (const event of assay.stream.subscribe({ symbols: ["XAU-USD-SPOT"] })) {
 *   if (event.type === "tick") console.log(event.seq, event.price.text);
 *   if (event.type === "gap") console.warn(`${event.fromSeq} to ${event.toSeq} are missing: ${event.reason}`);
 * }
 * ```
 */
export class Assay extends RestAssay {
  /** Live ticks, dealers' quotes, gaps and heartbeats. */
  readonly stream: StreamResource;

  /**
   * @param options settings; each has a default
   * @throws {TypeError} for an invalid option
   * @throws {RangeError} when a number is out of range
   * @throws {AssayError} in a browser, unless `dangerouslyAllowBrowser` is set
   */
  constructor(options: ClientOptions = {}) {
    super(options);
    this.stream = new StreamResource(options, this.bars);
  }
}
