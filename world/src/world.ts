/** One world: a script carried out in time that nothing else moves, watched by the auditor. */
import { createHash } from "node:crypto";
import { bodyText, contract } from "@assay/contract";
import { createOrganisation, insertKey, type Store } from "@assay/db";
import { emptyTables } from "@assay/db/testing";
import { seededRandom, virtualTime } from "@assay/ports/virtual";
import { type Invoke, newKey } from "@assay/services";
import type { Writer } from "@assay/writer";
import { Auditor, type Broken } from "./auditor.ts";
import { Engine } from "./engine.ts";
import { type Event, type ProcessName, READERS, type Script, TIERS, type Tier, WRITERS } from "./events.ts";
import { Follower } from "./follower.ts";
import { Host } from "./host.ts";
import { Market, truth } from "./market.ts";
import { type Api, type Machine, type Stream, startApi, startStream, startWriter } from "./processes.ts";

const START_MS = Date.parse("2026-11-20T12:00:30Z");
const DAY = { from: "2026-11-20T00:00:00Z", to: "2026-11-20T23:59:59Z" };
/** After all faults, until everything must be as it should. */
const HEALED_MS = 150_000;
/** How long anything may take to end. */
const ENDS_WITHIN_MS = 40_000;
/** How soon a process that ended by itself is started again. */
const STARTED_AGAIN_MS = 2_000;

/** What became of a world. */
export interface Outcome {
  readonly failure: Broken | null;
  /** The hash of everything published, answered, received and logged, each at its time. */
  readonly hash: string;
  readonly faults: ReadonlyMap<string, number>;
  readonly trace: readonly string[];
}

/** A running process, by kind. */
interface Running {
  readonly host: Host;
  readonly writer?: Writer;
  readonly api?: Api;
  readonly stream?: Stream;
}

/** Carries out a script on a store, which it empties first. */
export const runWorld = async (script: Script, store: Store): Promise<Outcome> => {
  await emptyTables(store);
  const world = new World(script, store);
  return world.run();
};

class World {
  readonly #script: Script;
  readonly #store: Store;
  readonly #random: ReturnType<typeof seededRandom>;
  readonly #time;
  readonly #auditor: Auditor;
  readonly #engine: Engine;
  readonly #market: Market;
  readonly #running = new Map<ProcessName, Running>();
  readonly #followers: readonly Follower[];
  readonly #keys = new Map<Tier, string>();
  readonly #trace: string[] = [];
  readonly #hash = createHash("sha256");
  readonly #faults = new Map<string, number>();
  /** How long until a process that ends is started again. */
  readonly #againMs = new Map<ProcessName, number>();
  #asked = 0;
  #starts = 0;
  readonly #oddSinceMs = new Map<number, number>();

  constructor(script: Script, store: Store) {
    this.#script = script;
    this.#random = seededRandom(script.seed);
    let asked = 0;
    const count = <T>(answer: Promise<T>): Promise<T> => {
      asked += 1;
      return answer.finally(() => {
        asked -= 1;
      });
    };
    this.#time = virtualTime(START_MS, () => asked > 0);
    this.#store = {
      ...store,
      now: this.#time,
      run: (...question) => count(store.run(...question)),
      readRow: (query) => count(store.readRow(query)),
    };
    this.#auditor = new Auditor(this.#store, script.isWild);
    const watch = {
      published: (event: Parameters<Auditor["published"]>[0], by: string) => {
        this.#note(`${by} publishes ${JSON.stringify(event)}`);
        return this.#auditor.published(event);
      },
      granted: (holder: string, token: number) => {
        this.#note(`${holder} is granted ${token}`);
        void this.#auditor.granted(token);
      },
    };
    this.#engine = new Engine(this.#time, watch, this.#count);
    this.#market = new Market(this.#time, script.intervalMs);
    this.#followers = ["ann", "bob"].map(
      (name) =>
        new Follower(name, (frame, last) => {
          this.#note(`${name} receives ${JSON.stringify(frame)}`);
          this.#auditor.received(name, frame, last);
        }),
    );
  }

  async run(): Promise<Outcome> {
    for (const tier of TIERS) await this.#mint(tier);
    if (this.#script.isWild) for (const [source, behaves] of this.#script.begins.entries()) this.#market.behave(source, behaves);
    for (const name of [...WRITERS, ...READERS]) void this.#start(name);
    await this.#pass(5_000);
    for (const { event, thenMs } of this.#script.steps) {
      this.#note(`event ${JSON.stringify(event)}`);
      this.#count(`event ${event.kind}`);
      await this.#happens(event);
      await this.#pass(thenMs);
      await this.#auditor.committed();
      if (this.#auditor.failure) break;
    }
    if (!this.#auditor.failure) await this.#endWell();
    await this.#endAll();
    const { failure, withdrawn } = this.#auditor;
    if (withdrawn > 0) this.#count("withdrawn");
    if (failure) this.#note(`broken ${failure.message}`);
    return { failure, hash: this.#hash.digest("hex").slice(0, 16), faults: this.#faults, trace: this.#trace };
  }

  readonly #count = (what: string): void => void this.#faults.set(what, (this.#faults.get(what) ?? 0) + 1);

  #note(line: string): void {
    const timed = `${this.#time() - START_MS} ${line}`;
    this.#trace.push(timed);
    this.#hash.update(`${timed}\n`);
  }

  #pass(ms: number): Promise<void> {
    return this.#time.advance(ms);
  }

  async #mint(tier: Tier): Promise<void> {
    await createOrganisation(this.#store, { id: tier, name: tier, tier, createdAtMs: START_MS });
    const { plaintext, row } = newKey({ orgId: tier, name: tier, expiresAtMs: null }, START_MS, this.#random);
    await insertKey(this.#store, row);
    this.#keys.set(tier, plaintext);
  }

  /** Starts a process, again and again until it runs. */
  async #start(name: ProcessName): Promise<void> {
    const host = new Host(name, this.#time, this.#store, this.#count);
    this.#running.set(name, { host });
    host.onDeath = () => {
      this.#note(`${name} ends`);
      this.#leave(name);
      const afterMs = this.#againMs.get(name) ?? STARTED_AGAIN_MS;
      this.#againMs.delete(name);
      this.#time.after(afterMs, () => void this.#start(name));
    };
    this.#starts += 1;
    const log = (line: string): void => {
      this.#note(`${name} logs ${line}`);
      if (line.startsWith("stuck")) void this.#auditor.ended(`${name} is ${line}`, false);
    };
    const machine: Machine = { host, live: this.#engine.live(host), random: this.#random, log };
    try {
      if (name === "api") this.#running.set(name, { host, api: await startApi(machine) });
      else if (name === "stream") {
        const stream = await startStream(machine);
        this.#running.set(name, { host, stream });
        for (const follower of this.#followers) this.#connect(follower);
      } else this.#running.set(name, { host, writer: startWriter(machine, this.#market, `${name}-${this.#starts}`) });
    } catch (error) {
      this.#note(`${name} fails to start: ${error}`);
      host.kill();
    }
  }

  #connect(follower: Follower): void {
    const running = this.#running.get("stream");
    if (running?.host.isAlive && running.stream) follower.connect(running.stream.hub, this.#time());
  }

  #leave(name: ProcessName): void {
    if (name === "stream") for (const follower of this.#followers) follower.disconnect();
  }

  /** Stops a process in order; it must end within the bound. */
  async #stop(name: ProcessName): Promise<void> {
    const running = this.#running.get(name);
    if (!running?.host.isAlive) return;
    const { host, writer, api, stream } = running;
    this.#leave(name);
    let hasEnded = false;
    const closing = Promise.all([writer?.close(), api?.close(), stream?.close()]).then(() => {
      hasEnded = true;
    });
    await Promise.race([closing, this.#time.sleep(ENDS_WITHIN_MS)]);
    if (host.isAlive) await this.#auditor.ended(`${name} does not stop`, hasEnded);
    host.kill();
  }

  async #happens(event: Event): Promise<void> {
    switch (event.kind) {
      case "pass":
        return;
      case "source":
        this.#behave(event.source, event.behaves);
        return;
      case "sources":
        if (this.#script.isWild) for (const [source, behaves] of event.behave.entries()) this.#market.behave(source, behaves);
        return;
      case "rates":
        this.#market.rates(event.percent);
        return;
      case "restart":
        this.#againMs.set(event.who, event.afterMs);
        void this.#stop(event.who);
        return;
      case "kill":
        this.#againMs.set(event.who, event.afterMs);
        this.#running.get(event.who)?.host.kill();
        return;
      case "pause":
        this.#running.get(event.who)?.host.pause(event.forMs);
        return;
      case "store":
        this.#running.get(event.who)?.host.fail(event.fault, event.count, event.ms);
        return;
      case "publish":
        this.#engine.fail(event.who, event.fault, event.count);
        return;
      case "lag":
        this.#engine.lag(event.who, event.ms);
        return;
      case "miss":
        this.#engine.miss(event.who, event.count);
        return;
      case "lease":
        return this.#engine.endLease();
      case "empty":
        this.#engine.empty();
        return;
      case "drop":
        this.#drop(event.follower, event.afterMs);
        return;
      case "slow": {
        const follower = this.#followers[event.follower];
        follower?.slow(true);
        this.#time.after(event.forMs, () => follower?.slow(false));
        return;
      }
      case "ask":
        // Not awaited: its process may stand still.
        void this.#ask(event.tier);
    }
  }

  /** In a tame world only one source is wrong at a time, until what it said is forgotten. */
  #behave(source: number, behaves: Parameters<Market["behave"]>[1]): void {
    const nowMs = this.#time();
    const others = [...this.#oddSinceMs].filter(
      ([other, sinceMs]) => other !== source && nowMs - sinceMs < 2 * this.#market.freshForMs,
    );
    const isOdd = behaves !== "truth";
    const otherOdd = this.#market.odd - (this.#market.behavesAs(source) === "truth" ? 0 : 1);
    if (!this.#script.isWild && isOdd && (others.length > 0 || otherOdd > 0)) return;
    if (this.#market.behavesAs(source) !== "truth" || isOdd) this.#oddSinceMs.set(source, nowMs);
    this.#market.behave(source, behaves);
  }

  #drop(index: number, afterMs: number): void {
    const follower = this.#followers[index];
    follower?.disconnect();
    this.#time.after(afterMs, () => {
      if (follower) this.#connect(follower);
    });
  }

  /** Calls a route as a caller of a tier; null when no process answers. */
  async #call(route: keyof Omit<Api, "close">, tier: Tier, wanted: Record<string, string | number>): Promise<Answer | null> {
    const api = this.#running.get("api")?.api;
    const key = this.#keys.get(tier) ?? "";
    if (!api) return null;
    this.#asked += 1;
    const input = { prices: contract.prices.list, spot: contract.spot.get, bars: contract.bars.list }[route].input;
    const invoke: Invoke = api[route];
    const requestId = `r${this.#asked}`;
    try {
      const readInput = (): unknown => input.parse(wanted);
      const { status, body } = await invoke({ requestId, ip: "10.0.0.1", key: { kind: "key", key }, readInput });
      const said = body === null ? "" : bodyText(body);
      this.#note(`${tier} ${route} ${JSON.stringify(wanted)} ${status} ${said}`);
      return { status, body: said === "" ? {} : JSON.parse(said) };
    } catch (error) {
      this.#note(`${tier} ${route} fails: ${error}`);
      return null;
    }
  }

  async #ask(tier: Tier): Promise<void> {
    const rowsOf = (answer: Answer | null): Readonly<Record<string, unknown>>[] =>
      answer?.status === 200 ? (answer.body.symbols as Readonly<Record<string, unknown>>[]) : [];
    for (const symbol of ["XAU-EUR-SPOT", "XAU-JPY-SPOT"])
      for (const row of rowsOf(await this.#call("prices", tier, { symbol, include: "sources" }))) {
        await this.#auditor.priced(row);
        if (tier === "free") await this.#auditor.seenFree(row.computed_at, this.#time());
      }
    if (tier !== "free") return;
    const silver = await this.#call("prices", tier, { symbol: "XAG-USD-SPOT" });
    if (silver && silver.status < 429) await this.#auditor.seenGated(silver.status);
  }

  /** Everything heals; then all must be as it should. */
  async #endWell(): Promise<void> {
    this.#engine.heal();
    for (const { host } of this.#running.values()) host.heal();
    for (const source of [0, 1, 2, 3]) this.#market.behave(source, "truth");
    for (const follower of this.#followers) follower.slow(false);
    await this.#pass(HEALED_MS);
    for (const follower of this.#followers) this.#connect(follower);
    await this.#pass(10);
    const auditor = this.#auditor;
    await auditor.committed();
    const isTrue = (price: string, atMs: number): boolean => Math.abs(Number(price) - Number(truth(atMs))) < 60;
    await auditor.timely(this.#time(), 2 * this.#script.intervalMs + 5_000, isTrue);
    if (!this.#script.isWild) await auditor.truthful(this.#market.said, this.#market.freshForMs);
    for (const { name, last } of this.#followers) await auditor.caughtUp(name, last);
    await this.#settled(Promise.all(TIERS.map((tier) => this.#ask(tier))));
    for (const interval of ["1m", "5m", "1d"]) await this.#settled(this.#askBars(interval));
    for (const agoMs of [37_000, 74_000, 111_000]) await this.#settled(this.#askPast(agoMs));
  }

  async #askBars(interval: string): Promise<void> {
    const answer = await this.#call("bars", "pro", { symbol: "XAU-USD-SPOT", interval, ...DAY, limit: 50 });
    if (answer?.status !== 200) return this.#auditor.ended(`bars are answered with ${answer?.status}`, false);
    await this.#auditor.remembered(interval, answer.body as unknown as Parameters<Auditor["remembered"]>[1]); // as the contract has it
  }

  async #askPast(agoMs: number): Promise<void> {
    const atMs = Math.floor((this.#time() - agoMs) / 1_000) * 1_000;
    const answer = await this.#call("spot", "pro", {
      symbol: "XAU-USD-SPOT",
      at: new Date(atMs).toISOString().replace(".000", ""),
    });
    if (answer?.status === 200) await this.#auditor.answeredPast(atMs, answer.body.price);
  }

  /** Lets the engines answer what is asked outside of time. */
  async #settled<T>(answer: Promise<T>): Promise<T> {
    let isDone = false;
    void answer.finally(() => {
      isDone = true;
    });
    for (let tries = 0; !isDone && tries < 20; tries += 1) await this.#pass(100);
    await this.#auditor.ended("a call is not answered", isDone);
    return answer;
  }

  async #endAll(): Promise<void> {
    const names = [...this.#running.keys()];
    for (const { host } of this.#running.values()) host.heal();
    for (const name of names) this.#againMs.set(name, Number.POSITIVE_INFINITY);
    const stopping = Promise.all(names.map((name) => this.#stop(name)));
    await this.#pass(ENDS_WITHIN_MS + 1_000);
    await stopping;
    await this.#auditor.committed();
  }
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
