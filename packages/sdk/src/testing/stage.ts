/**
 * A service, its connections and the clock, all in memory and controlled by a test, which decides what happens to each
 * connection.
 */
import type { ServerFrame } from "../generated/stream.ts";
import type { StreamClock } from "../stream/connection.ts";
import type { StreamName } from "../stream/events.ts";
import { type LinkEvents, type OpenLink, readFrame } from "../stream/link.ts";
import type { WireView } from "../stream/subscription.ts";
import { gap, heartbeat, NOON_MS, tick } from "./frames.ts";

const HEARTBEAT_MS = 15_000;

interface Wire {
  readonly events: LinkEvents;
  readonly view: WireView;
  /** What was passed to it, delivered in the next step. */
  readonly frames: ServerFrame[];
  isOpen: boolean;
  isFrozen: boolean;
}

interface Timer {
  readonly atMs: number;
  readonly call: () => void;
}

/** The stage. Frames cross a connection one step after they were sent. */
export class Stage {
  readonly seqs = new Map<StreamName, number>();
  /** When each number of a name was computed. */
  readonly #times = new Map<StreamName, Map<number, number>>();
  readonly #ringLength: number;
  readonly #names: readonly StreamName[];
  #wires: Wire[] = [];
  #timers: Timer[] = [];
  #nowMs = 0;
  #heartbeatAtMs = HEARTBEAT_MS;
  /** Connections opened so far. */
  opened = 0;

  /** @param ringLength how many past numbers the service still has */
  constructor(names: readonly StreamName[], ringLength: number) {
    this.#names = names;
    this.#ringLength = ringLength;
    for (const name of names) {
      this.seqs.set(name, 0);
      this.publish(name);
    }
  }

  readonly clock: StreamClock = {
    nowMs: () => NOON_MS + this.#nowMs,
    elapsedMs: () => this.#nowMs,
    random: () => 0.5,
    after: (waitMs, call) => {
      const timer = { atMs: this.#nowMs + waitMs, call };
      this.#timers.push(timer);
      return () => {
        this.#timers = this.#timers.filter((each) => each !== timer);
      };
    },
  };

  readonly links = (view: WireView): OpenLink => {
    return (events) => {
      const wire: Wire = { events, view, frames: [], isOpen: false, isFrozen: false };
      this.#wires.push(wire);
      this.opened += 1;
      const leave = (): void => {
        this.#wires = this.#wires.filter((each) => each !== wire);
      };
      this.clock.after(5, () => this.#accept(wire));
      return { follow: () => undefined, close: leave, drop: leave };
    };
  };

  publish(name: StreamName): void {
    const seq = (this.seqs.get(name) ?? 0) + 1;
    this.seqs.set(name, seq);
    const times = this.#times.get(name) ?? new Map<number, number>();
    this.#times.set(name, times.set(seq, NOON_MS + this.#nowMs));
    this.#toAll(this.#tick(seq, name));
  }

  /** Restores the service from a backup: every name continues from half its number, and every connection ends. */
  restore(): void {
    for (const [name, seq] of this.seqs) this.seqs.set(name, Math.ceil(seq / 2));
    this.cut();
    this.pass(1_000);
  }

  lose(): void {
    for (const wire of this.#wires) wire.frames.length = 0;
  }

  /** Delivers the frames in transit twice. */
  repeat(): void {
    for (const wire of this.#wires) wire.frames.push(...wire.frames);
  }

  /** Delivers the frames in transit in another order. */
  shuffle(): void {
    for (const wire of this.#wires) wire.frames.reverse();
  }

  /** Closes every connection with a code that allows a reconnect. */
  cut(): void {
    for (const { events } of [...this.#wires]) events.ended({ name: "lost", loss: { reason: "cut", close: 1006, waitMs: null } });
  }

  /** From now on nothing crosses the existing connections. */
  freeze(): void {
    for (const wire of this.#wires) wire.isFrozen = true;
  }

  /** Advances the clock, in steps that process whatever is due. */
  pass(ms: number): void {
    const untilMs = this.#nowMs + ms;
    while (this.#nowMs < untilMs) {
      const next = Math.min(untilMs, this.#heartbeatAtMs, ...this.#timers.map(({ atMs }) => atMs));
      this.#nowMs = Math.max(this.#nowMs, next);
      this.#deliver();
      if (this.#nowMs >= this.#heartbeatAtMs) {
        this.#heartbeatAtMs += HEARTBEAT_MS;
        this.#toAll(heartbeat(Object.fromEntries(this.seqs), NOON_MS + this.#nowMs));
        this.#deliver();
      }
      const due = this.#timers.filter(({ atMs }) => atMs <= this.#nowMs);
      this.#timers = this.#timers.filter(({ atMs }) => atMs > this.#nowMs);
      for (const { call } of due) call();
    }
    this.#deliver();
  }

  #accept(wire: Wire): void {
    if (!this.#wires.includes(wire)) return;
    wire.isOpen = true;
    wire.events.opened({ heartbeatMs: HEARTBEAT_MS, serverMs: NOON_MS + this.#nowMs });
    for (const name of this.#names) {
      const newest = this.seqs.get(name) ?? 1;
      const last = wire.view.seqOf(name);
      const from = last === null ? newest : last + 1;
      if (last !== null && last > newest) this.#to(wire, gap(newest, last, "reset", name), this.#tick(newest, name));
      else if (newest - from >= this.#ringLength)
        this.#to(wire, gap(from, newest - 1, "expired", name), this.#tick(newest, name));
      else for (let seq = from; seq <= newest; seq += 1) this.#to(wire, this.#tick(seq, name));
    }
  }

  #tick(seq: number, name: StreamName): object {
    return tick(seq, name, this.#times.get(name)?.get(seq));
  }

  #toAll(frame: object): void {
    for (const wire of this.#wires) if (wire.isOpen) this.#to(wire, frame);
  }

  #to(wire: Wire, ...frames: object[]): void {
    for (const frame of frames) {
      const read = readFrame(JSON.stringify(frame));
      if (read !== null) wire.frames.push(read);
    }
  }

  #deliver(): void {
    for (const wire of [...this.#wires]) {
      const frames = wire.frames.splice(0);
      if (wire.isFrozen) continue;
      for (const frame of frames) wire.events.frame(frame);
    }
  }
}
