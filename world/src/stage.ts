/** The processes of a world: each on a machine of its own, started again whenever it ends. */
import type { Store } from "@assay/db";
import type { Random, Time } from "@assay/ports";
import type { Writer } from "@assay/writer";
import type { Audit } from "./audit/audit.ts";
import { type ApiName, PROCESSES, type ProcessName, WRITERS } from "./cast.ts";
import type { Engine } from "./engine.ts";
import { Host, type Note } from "./host.ts";
import type { Market } from "./market.ts";
import { type Api, type Machine, type Stream, startApi, startStream, startWriter } from "./processes.ts";
import type { Post } from "./receivers.ts";

/** How long anything may take to end. */
export const ENDS_WITHIN_MS = 40_000;
/** How soon a process that ended by itself is started again. */
const STARTED_AGAIN_MS = 2_000;

/** A running process, by kind. */
interface Running {
  readonly host: Host;
  readonly writer?: Writer;
  readonly api?: Api;
  readonly stream?: Stream;
}

export interface StageDeps {
  readonly time: Time;
  readonly store: Store;
  readonly engine: Engine;
  readonly random: Random;
  readonly market: Market;
  readonly audit: Audit;
  readonly count: Note;
  readonly note: (line: string) => void;
  readonly postFrom: (host: Host) => Post;
  /** The stream process runs, or has ended. */
  readonly onStream: (isRunning: boolean) => void;
}

const isWriter = (name: ProcessName): boolean => (WRITERS as readonly string[]).includes(name);

export class Stage {
  readonly #deps: StageDeps;
  readonly #running = new Map<ProcessName, Running>();
  /** How long until a process that ends is started again. */
  readonly #againMs = new Map<ProcessName, number>();
  /** How far the clock of each machine is ahead. */
  readonly #aheadMs = new Map<ProcessName, number>();
  #starts = 0;
  #isOver = false;

  constructor(deps: StageDeps) {
    this.#deps = deps;
  }

  get hosts(): readonly Host[] {
    return [...this.#running.values()].map(({ host }) => host);
  }

  hostOf(name: ProcessName): Host | undefined {
    return this.#running.get(name)?.host;
  }

  /** An API that runs. */
  apiOf(name: ApiName): Api | undefined {
    const running = this.#running.get(name);
    return running?.host.isAlive ? running.api : undefined;
  }

  /** The streams, while their process runs. */
  get stream(): Stream | undefined {
    const running = this.#running.get("stream");
    return running?.host.isAlive ? running.stream : undefined;
  }

  startAll(): void {
    for (const name of PROCESSES) void this.#start(name);
  }

  /** Starts a process, again and again until it runs. */
  async #start(name: ProcessName): Promise<void> {
    if (this.#isOver) return;
    const { time, store, engine, random, market, audit, count, note, postFrom, onStream } = this.#deps;
    const host = new Host(name, time, store, count, this.#aheadMs.get(name));
    this.#running.set(name, { host });
    host.onDeath = () => {
      note(`${name} ends`);
      if (name === "stream") onStream(false);
      const afterMs = this.#againMs.get(name) ?? STARTED_AGAIN_MS;
      this.#againMs.delete(name);
      time.after(afterMs, () => void this.#start(name));
    };
    this.#starts += 1;
    const log = (line: string): void => {
      note(`${name} logs ${line}`);
      if (line.startsWith("stuck")) void audit.ended(`${name} is ${line}`, false);
    };
    const machine: Machine = { host, live: engine.live(host), random, log };
    try {
      if (isWriter(name)) {
        const writer = startWriter(machine, market, postFrom(host), `${name}-${this.#starts}`);
        this.#running.set(name, { host, writer });
      } else if (name === "stream") {
        this.#running.set(name, { host, stream: await startStream(machine) });
        onStream(true);
      } else this.#running.set(name, { host, api: await startApi(machine) });
    } catch (error) {
      note(`${name} fails to start: ${error}`);
      host.kill();
    }
  }

  /** Sets the clock of a machine. */
  setClock(name: ProcessName, aheadMs: number): void {
    this.#aheadMs.set(name, aheadMs);
    this.hostOf(name)?.set(aheadMs);
  }

  /** Ends a process without a word. */
  kill(name: ProcessName, againMs: number): void {
    this.#againMs.set(name, againMs);
    this.#running.get(name)?.host.kill();
  }

  /** Stops a process in order; it must end within the bound. */
  async stop(name: ProcessName, againMs: number): Promise<void> {
    const { time, audit } = this.#deps;
    const running = this.#running.get(name);
    if (!running?.host.isAlive) return;
    this.#againMs.set(name, againMs);
    const { host, writer, api, stream } = running;
    let hasEnded = false;
    const closing = Promise.all([writer?.close(), api?.close(), stream?.close()]).then(() => {
      hasEnded = true;
    });
    await Promise.race([closing, time.sleep(ENDS_WITHIN_MS)]);
    if (host.isAlive) await audit.ended(`${name} does not stop`, hasEnded);
    host.kill();
  }

  /** Stops everything for good. */
  async stopAll(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#running.keys()].map((name) => this.stop(name, 0)));
  }
}
