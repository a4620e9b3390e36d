/** Three writers, one lease server and one fenced store, with messages that are delayed, lost or delivered late. */
import { computesAfterMs, Handover } from "../handover.ts";
import type { LeaseToken } from "../ports.ts";
import {
  type LeaseTiming,
  mayWrite,
  startFollowing,
  transition,
  type WriterAction,
  type WriterEvent,
  type WriterState,
  wakeAtMs,
} from "../writer-lease.ts";

type ModelStep =
  | { readonly does: "advance"; readonly ms: number }
  /** Time passes in small steps, in which every message travels one leg. */
  | { readonly does: "run"; readonly ms: number; readonly times: number }
  /** A message travels one leg: a request reaches the server, or its reply reaches the writer. */
  | { readonly does: "move"; readonly which: number }
  /** A message is lost: a request before it is processed, a reply after. */
  | { readonly does: "fail"; readonly which: number }
  | { readonly does: "write" | "restart" | "stop"; readonly writer: number }
  /** Cuts a writer off while time runs; a second time reconnects it. */
  | { readonly does: "cut"; readonly writer: number }
  /** Cuts a writer's connection to the store; a second call restores it. */
  | { readonly does: "cutStore"; readonly writer: number }
  /** The lease server loses all its data. */
  | { readonly does: "loseLease" };

interface Writer {
  readonly holder: string;
  readonly rate: number;
  readonly offsetMs: number;
  state: WriterState;
  life: number;
  isCut: boolean;
  isStoreCut: boolean;
  /** Of its current term. */
  handover: Handover;
  computesAfterMs: number;
}

interface Message {
  readonly writer: Writer;
  readonly life: number;
  /** Executes a request at the server, and returns the reply. */
  readonly ask: () => WriterEvent;
  readonly failure: WriterEvent;
  answer: WriterEvent | null;
}

/** One run of the model. Each writer's clock has its own rate, and may be ahead or behind. */
export class WritersModel {
  nowMs = 0;
  /** Tokens in the order in which writers started writing, the store accepted claims, and the store accepted writes. */
  readonly started: number[] = [];
  readonly claimed: number[] = [];
  readonly written: number[] = [];
  /** Instants of the stored ticks, by the clocks of their writers. */
  readonly instants: number[] = [];
  writtenUnderSharedToken = false;
  readonly #timing: LeaseTiming;
  readonly #writers: Writer[];
  #messages: Message[] = [];
  /** The lease on the server, by the server's clock. */
  #lease: LeaseToken | null = null;
  #counter = 0;
  #fence = { token: 0, holder: "" };
  readonly #writersOfToken = new Map<number, string>();
  /** What standbys announced last: how many times one has reached the store. */
  #announced = 0;

  constructor(rates: readonly number[], timing: LeaseTiming, offsetsMs: readonly number[] = []) {
    this.#timing = timing;
    this.#writers = rates.map((rate, at) => {
      const offsetMs = offsetsMs[at] ?? 0;
      const own = { holder: `w${at}`, rate, offsetMs, state: startFollowing(offsetMs), life: 0, isCut: false, isStoreCut: false };
      return { ...own, handover: new Handover(), computesAfterMs: Number.NEGATIVE_INFINITY };
    });
  }

  /** @param check called after every small step */
  take(step: ModelStep, check: () => void = () => {}): void {
    if (step.does === "advance") this.#advance(step.ms);
    else if (step.does === "run") {
      for (let time = 0; time < step.times; time++) {
        this.runFor(step.ms);
        check();
      }
    } else if (step.does === "loseLease") {
      this.#lease = null;
      this.#counter = 0;
    } else if (step.does === "move" || step.does === "fail") {
      const message = this.#messages[step.which % Math.max(1, this.#messages.length)];
      if (message && step.does === "move") this.#move(message);
      else if (message) this.#deliver(message, message.failure);
    } else {
      const writer = this.#writers[step.writer];
      if (!writer) return;
      if (step.does === "write") this.#write(writer);
      else if (step.does === "stop") this.#send(writer, { name: "stop" });
      else if (step.does === "cut") writer.isCut = !writer.isCut;
      else if (step.does === "cutStore") writer.isStoreCut = !writer.isStoreCut;
      else this.#restart(writer);
    }
  }

  /** Lets time pass, and every message travel one leg. */
  runFor(ms: number): void {
    this.#advance(ms);
    for (const message of [...this.#messages]) {
      if (message.writer.isCut && !message.answer) this.#deliver(message, message.failure);
      else this.#move(message);
    }
  }

  joinAll(): void {
    for (const writer of this.#writers) {
      writer.isCut = false;
      writer.isStoreCut = false;
    }
  }

  /** Writers that believe they may write now. */
  writing(): number[] {
    return this.#writers.flatMap((writer, at) => (mayWrite(writer.state, this.#clock(writer), this.#timing) ? [at] : []));
  }

  names(): string[] {
    return this.#writers.map(({ state }) => state.name);
  }

  /** Kills a writer without notice. */
  kill(at: number): void {
    const writer = this.#writers[at];
    if (!writer) return;
    writer.life++;
    writer.state = { name: "stopped" };
  }

  #clock(writer: Writer): number {
    return this.nowMs * writer.rate + writer.offsetMs;
  }

  #advance(ms: number): void {
    this.nowMs += ms;
    for (const writer of this.#writers) {
      const dueMs = wakeAtMs(writer.state, this.#timing);
      if (dueMs !== null && dueMs <= this.#clock(writer)) this.#send(writer, { name: "tick" });
    }
  }

  #restart(writer: Writer): void {
    writer.life++;
    writer.state = startFollowing(this.#clock(writer));
  }

  #send(writer: Writer, event: WriterEvent): void {
    const next = transition(writer.state, event, this.#clock(writer), this.#timing);
    writer.state = next.state;
    for (const action of next.actions) this.#perform(writer, action);
  }

  #perform(writer: Writer, action: WriterAction): void {
    const send = (ask: () => WriterEvent, failure: WriterEvent) =>
      this.#messages.push({ writer, life: writer.life, ask, failure, answer: null });
    const { ttlMs } = this.#timing;
    const askedAtMs = this.#clock(writer);
    switch (action.name) {
      case "acquire":
        send(() => this.#acquire(writer, askedAtMs + ttlMs), { name: "unreachable" });
        break;
      case "claim":
        send(() => this.#claim(writer, action.held), { name: "claimFailed", token: action.held.token });
        break;
      case "renew":
        send(() => this.#renew(action.held, askedAtMs + ttlMs), { name: "renewFailed", token: action.held.token });
        break;
      case "release": {
        const released = { name: "released", token: action.held.token } as const;
        send(() => {
          if (this.#holds(action.held)) this.#lease = null;
          return released;
        }, released);
        break;
      }
      case "stopWriting":
        send(() => ({ name: "halted" }), { name: "halted" });
        break;
      case "startWriting":
        this.started.push(action.held.token);
        writer.handover = new Handover();
        writer.computesAfterMs = computesAfterMs(this.instants.at(-1) ?? Number.NEGATIVE_INFINITY, askedAtMs);
    }
  }

  #move(message: Message): void {
    if (message.answer) this.#deliver(message, message.answer);
    else message.answer = message.ask();
  }

  #deliver(message: Message, event: WriterEvent): void {
    this.#messages = this.#messages.filter((other) => other !== message);
    if (message.life === message.writer.life) this.#send(message.writer, event);
  }

  #standing(): LeaseToken | null {
    return this.#lease && this.#lease.expiresAtMs > this.nowMs ? this.#lease : null;
  }

  #holds(held: LeaseToken): boolean {
    const standing = this.#standing();
    return standing?.holder === held.holder && standing.token === held.token;
  }

  #acquire({ holder, isStoreCut }: Writer, expiresAtMs: number): WriterEvent {
    // The fence is read first.
    if (isStoreCut) return { name: "unreachable" };
    const standing = this.#standing();
    if (standing && standing.holder !== holder) {
      this.#announced += 1;
      return { name: "refused" };
    }
    this.#counter = Math.max(this.#counter, this.#fence.token) + 1;
    this.#lease = { holder, token: this.#counter, expiresAtMs: this.nowMs + this.#timing.ttlMs };
    return { name: "acquired", held: { holder, token: this.#counter, expiresAtMs } };
  }

  #renew(held: LeaseToken, expiresAtMs: number): WriterEvent {
    if (!this.#holds(held)) return { name: "notRenewed", token: held.token };
    this.#lease = { holder: held.holder, token: held.token, expiresAtMs: this.nowMs + this.#timing.ttlMs };
    return { name: "renewed", held: { ...held, expiresAtMs } };
  }

  #passFence({ token, holder }: LeaseToken): boolean {
    const passes = this.#fence.token < token || (this.#fence.token === token && this.#fence.holder === holder);
    if (passes) this.#fence = { token, holder };
    return passes;
  }

  #claim({ isStoreCut }: Writer, held: LeaseToken): WriterEvent {
    if (isStoreCut) return { name: "claimFailed", token: held.token };
    if (!this.#passFence(held)) return { name: "claimRefused", token: held.token };
    this.claimed.push(held.token);
    return { name: "claimed", token: held.token };
  }

  #write(writer: Writer): void {
    const { state } = writer;
    if (!mayWrite(state, this.#clock(writer), this.#timing) || !("held" in state)) return;
    const { held } = state;
    const nowMs = this.#clock(writer);
    if (nowMs <= writer.computesAfterMs) return;
    if (writer.isStoreCut) {
      const announced = writer.isCut || this.#announced === 0 ? null : String(this.#announced);
      const stepsDown = writer.handover.failed(announced, nowMs, this.#timing);
      if (stepsDown) this.#send(writer, { name: "writeRefused", token: held.token });
      return;
    }
    writer.handover.wrote();
    if (!this.#passFence(held)) {
      this.#send(writer, { name: "writeRefused", token: held.token });
      return;
    }
    this.written.push(held.token);
    this.instants.push(nowMs);
    const life = `${writer.holder}/${writer.life}`;
    const before = this.#writersOfToken.get(held.token) ?? life;
    if (before !== life) this.writtenUnderSharedToken = true;
    this.#writersOfToken.set(held.token, life);
  }
}
