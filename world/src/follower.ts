/** Somebody who follows gold on a stream: resumes where it was, and knows which numbers it has, and which it was told it will not get. */
import type { StreamName } from "@assay/contract";
import { type Group, type Hub, type Member, SSE } from "@assay/stream/hub";

const GOLD: StreamName = "XAU-USD-SPOT";

/** A frame, as it is on the wire. */
export interface Frame {
  readonly type: "tick" | "gap";
  readonly seq: number;
  readonly price: string;
  readonly computed_at: string;
  readonly snapshot?: true;
  readonly from_seq: number;
  readonly to_seq: number;
  readonly reason: string;
}

/** The data of server-sent events. */
const framesIn = (bytes: Buffer): Frame[] =>
  bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice("data: ".length)) as Frame);

/** One connection of it. */
class Connection implements Member {
  flushed = 0;
  group: Group | null = null;
  pending: Member["pending"] = null;
  ahead: Member["ahead"] = null;
  isSlow = false;
  readonly #take: (frame: Frame) => void;

  constructor(take: (frame: Frame) => void) {
    this.#take = take;
  }

  isIdle(): boolean {
    return !this.isSlow;
  }

  write(bytes: Buffer): void {
    for (const frame of framesIn(bytes)) this.#take(frame);
  }

  onBlocked(): void {}
}

/** A follower. */
export class Follower {
  readonly name: string;
  readonly #onFrame: (frame: Frame, isFirst: boolean) => void;
  #connection: Connection | null = null;
  #hub: Hub | null = null;
  /** The last number that it has, or knows to be missing. */
  #last: number | undefined;

  /** @param onFrame called with what it receives, and whether it has no number before it */
  constructor(name: string, onFrame: (frame: Frame, last: number | undefined) => void) {
    this.name = name;
    this.#onFrame = (frame) => {
      onFrame(frame, this.#last);
      this.#last = frame.type === "gap" ? frame.to_seq : frame.seq;
    };
  }

  get last(): number | undefined {
    return this.#last;
  }

  get isConnected(): boolean {
    return this.#connection !== null;
  }

  /** Connects, and resumes after its last number. */
  connect(hub: Hub, nowMs: number): void {
    if (this.#connection) return;
    const connection = new Connection((frame) => {
      if (this.#connection === connection) this.#onFrame(frame, this.#last === undefined);
    });
    this.#connection = connection;
    this.#hub = hub;
    hub.follow(connection, SSE, new Set([GOLD]));
    const from = { seq: this.#last, nowMs, maxBytes: Number.POSITIVE_INFINITY };
    for (const bytes of hub.begin(connection, SSE, GOLD, from)) connection.write(bytes);
  }

  /** Its connection ends. */
  disconnect(): void {
    if (this.#connection) this.#hub?.leave(this.#connection);
    this.#connection = null;
  }

  /** Reads nothing from now on, or reads again. */
  slow(isSlow: boolean): void {
    if (!this.#connection) return;
    this.#connection.isSlow = isSlow;
    if (!isSlow && this.#connection.pending) this.#hub?.catchUp(this.#connection);
  }
}
