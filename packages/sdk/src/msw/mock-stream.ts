/** A mocked stream driven by a test: ticks, gaps, closes and refusals, over WebSocket and server-sent events alike. */
import type { HttpHandler } from "msw";
import { type PhysicalChannel, STREAM_CLOSES, type StreamSymbol } from "../generated/stream.ts";
import type { StreamName } from "../stream/events.ts";
import type { GapReason } from "../stream/queue.ts";
import { type MockHub, type MockPeer, mockFeed, mockSocketClass, type RefusedStream, wholeSeconds } from "./mock-transports.ts";

/** The optional fields of a tick; names as on the wire. */
export interface MockTick {
  /** Half-width of the confidence band. Default `0.20`. */
  readonly conf?: string;
  /** Default: now. */
  readonly computed_at?: string;
  /** Default: the previous number plus one. */
  readonly seq?: number;
}

/** A dealer's quote as on the wire; omitted fields get defaults. */
export type MockQuote = Readonly<Record<string, unknown>>;

/** The numbering of a name, and what was sent under each number. */
interface Numbering {
  seq: number;
  readonly frames: { readonly seq: number; readonly frame: { readonly type: string } }[];
}

const QUOTE = { id: "mock", source: "mock", dealer: "Mock", product: "1 g bar", karat: 24, weight: "1", weight_unit: "gram" };
const PRICES = { currency: "USD", sell_price: "130.00", buyback_price: "127.50" };

/**
 * A mocked stream. Pass it to `mockAssay` for server-sent events, and its `WebSocket` to the client. Each send waits until a
 * client follows the name, so that a test needs no timing; what was sent is replayed to clients that resume.
 */
export class MockStream {
  /** Pass this to a client as its option `WebSocket`. */
  readonly WebSocket: new (
    url: string,
    options?: never,
  ) => object;
  readonly #hub: MockHub;
  readonly #peers = new Set<MockPeer>();
  readonly #numberings = new Map<StreamName, Numbering>();
  readonly #waiting = new Set<() => void>();
  #refusal: RefusedStream | null = null;

  constructor() {
    const refusal = (): RefusedStream | null => this.#refusal;
    this.#hub = {
      get refusal() {
        return refusal();
      },
      enter: (peer) => void this.#peers.add(peer),
      framesFor: (name, last) => this.#framesFor(name, last),
      changed: () => this.#wake(),
      leave: (peer) => void this.#peers.delete(peer),
    };
    this.WebSocket = mockSocketClass(this.#hub);
  }

  /** The connected clients: their transport, key and followed names. */
  get clients(): readonly Pick<MockPeer, "transport" | "key" | "names">[] {
    return [...this.#peers];
  }

  /** Waits until a client follows a name. */
  async followed(name: StreamName): Promise<void> {
    await this.#until(() => [...this.#peers].some(({ names }) => names.has(name)));
  }

  /**
   * Publishes a price to all its followers, waiting for the first one.
   * @param price decimal text, as on the wire
   * @returns its sequence number
   */
  async tick(symbol: StreamSymbol, price: string, { conf = "0.20", computed_at, seq }: MockTick = {}): Promise<number> {
    await this.followed(symbol);
    const at = computed_at ?? wholeSeconds(Date.now());
    return this.#publish(symbol, seq, (number) => ({ type: "tick", symbol, price, conf, computed_at: at, seq: number }));
  }

  /**
   * Publishes a dealer's quote to all followers of its channel, waiting for the first one.
   * @returns its sequence number
   */
  async physical(channel: PhysicalChannel, quote: MockQuote = {}): Promise<number> {
    await this.followed(channel);
    const whole = { ...QUOTE, ...PRICES, quoted_at: wholeSeconds(Date.now()), ...quote };
    return this.#publish(channel, undefined, (seq) => ({ type: "physical", channel, seq, quote: whole }));
  }

  /**
   * Skips sequence numbers and sends a gap to all followers of the name, waiting for the first one.
   * @param count how many; ignored for a `reset`, after which numbering restarts
   */
  async gap(name: StreamName, count = 1, reason: GapReason = "missed"): Promise<void> {
    await this.followed(name);
    const numbering = this.#numberingOf(name);
    const isReset = reason === "reset";
    const [from_seq, to_seq] = isReset ? [1, numbering.seq] : [numbering.seq + 1, numbering.seq + count];
    const frame = { type: "gap", symbol: name, from_seq, to_seq, reason };
    numbering.seq = isReset ? 0 : to_seq;
    if (isReset) numbering.frames.length = 0;
    else numbering.frames.push({ seq: to_seq, frame });
    this.#send(name, frame);
  }

  /** Sends a heartbeat, waiting for the first connection. */
  async heartbeat(market: "open" | "closed" = "open"): Promise<void> {
    await this.#until(() => this.#peers.size > 0);
    for (const peer of this.#peers) {
      const seq = Object.fromEntries([...peer.names].map((name) => [name, this.#numberingOf(name).seq]));
      peer.send({ type: "heartbeat", ts: new Date().toISOString(), seq, market });
    }
  }

  /**
   * Closes every connection, waiting for one that follows something.
   * @param how a close code such as 1012, after which clients reconnect, or the code of the service's `error` frame
   */
  async close(how: number | keyof typeof STREAM_CLOSES = 1012): Promise<void> {
    await this.#until(() => [...this.#peers].some(({ names }) => names.size > 0));
    const [close, code] = typeof how === "number" ? [how, null] : [STREAM_CLOSES[how], how];
    for (const peer of [...this.#peers]) {
      this.#peers.delete(peer);
      peer.end(close, code);
    }
  }

  /** Refuses new clients from now on; null accepts them again. */
  refuse(cause: RefusedStream | null): void {
    this.#refusal = cause;
  }

  /** The feed's handlers; used by `mockAssay`. */
  handlers(base: string): HttpHandler[] {
    return [mockFeed(base, this.#hub)];
  }

  #numberingOf(name: StreamName): Numbering {
    const known = this.#numberings.get(name) ?? { seq: 0, frames: [] };
    this.#numberings.set(name, known);
    return known;
  }

  #publish(name: StreamName, given: number | undefined, make: (seq: number) => { readonly type: string }): number {
    const numbering = this.#numberingOf(name);
    const seq = given ?? numbering.seq + 1;
    const frame = make(seq);
    numbering.seq = seq;
    numbering.frames.push({ seq, frame });
    this.#send(name, frame);
    return seq;
  }

  #send(name: StreamName, frame: object): void {
    for (const peer of this.#peers) if (peer.names.has(name)) peer.send(frame);
  }

  /** What a new client gets: the last value, or all after the number it has. */
  #framesFor(name: StreamName, last: number | null): object[] {
    const { frames } = this.#numberingOf(name);
    if (last !== null) return frames.filter(({ seq }) => seq > last).map(({ frame }) => frame);
    const newest = frames.findLast(({ frame }) => frame.type !== "gap");
    return newest === undefined ? [] : [{ ...newest.frame, snapshot: true }];
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

/**
 * Creates a mocked stream.
 * @example
 * ```ts
 * const stream = mockStream();
 * const server = setupServer(...mockAssay({ baseUrl, stream }));
 * const assay = new Assay({ baseUrl, apiKey: "test", WebSocket: stream.WebSocket });
 *
 * await stream.tick("XAU-USD-SPOT", "4003.20"); // waits for the program under test to follow it
 * await stream.gap("XAU-USD-SPOT", 3);
 * await stream.close(1012);                     // it comes back, and resumes
 * await stream.tick("XAU-USD-SPOT", "4004.10");
 * ```
 */
export const mockStream = (): MockStream => new MockStream();
