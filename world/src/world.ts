/** One world: a script carried out in time that nothing else moves, watched by the auditor. */
import { createHash } from "node:crypto";
import type { Store } from "@assay/db";
import { emptyTables } from "@assay/db/testing";
import type { MarketEvent } from "@assay/live";
import { seededRandom, virtualTime } from "@assay/ports/virtual";
import { Alerts } from "./audit/alerts.ts";
import { Audit, type Broken } from "./audit/audit.ts";
import { Callers, type Doing } from "./audit/callers.ts";
import { Figures } from "./audit/figures.ts";
import { Publication } from "./audit/publication.ts";
import { Rows } from "./audit/rows.ts";
import { APIS, type ApiName, type PersonName, PROCESSES } from "./cast.ts";
import { Engine } from "./engine.ts";
import { happen, type Scene, type Script } from "./events.ts";
import { Follower } from "./follower.ts";
import { Host } from "./host.ts";
import { Market, truth } from "./market.ts";
import { People, type Person } from "./people.ts";
import type { Answer } from "./processes.ts";
import { Receivers } from "./receivers.ts";
import { ENDS_WITHIN_MS, Stage } from "./stage.ts";

/** After all faults, until everything must be as it should. */
const HEALED_MS = 150_000;
/** How long until a follower whose stream ended tries again, and one that was refused. */
const RETRY_MS = 2_000;
const REFUSED_MS = 20_000;

/** What became of a world. */
export interface Outcome {
  readonly failure: Broken | null;
  /** The hash of everything published, answered, received and logged, each at its time. */
  readonly hash: string;
  readonly faults: ReadonlyMap<string, number>;
  /** Timers that ran, statements, and all that the trace has. */
  readonly happened: number;
  readonly trace: readonly string[];
}

/** Carries out a script on a store, which it empties first. */
export const runWorld = async (script: Script, store: Store): Promise<Outcome> => {
  await emptyTables(store);
  return new World(script, store).run();
};

class World {
  readonly #script: Script;
  readonly #startMs: number;
  readonly #time;
  readonly #audit = new Audit();
  readonly #rows: Rows;
  readonly #publication: Publication;
  readonly #figures: Figures;
  readonly #callers: Callers;
  readonly #alerts: Alerts;
  readonly #engine: Engine;
  readonly #market: Market;
  readonly #receivers: Receivers;
  readonly #stage: Stage;
  readonly #people: People;
  readonly #followers = new Map<PersonName, Follower>();
  readonly #trace: string[] = [];
  readonly #hash = createHash("sha256");
  readonly #faults = new Map<string, number>();
  #statements = 0;

  constructor(script: Script, given: Store) {
    this.#script = script;
    this.#startMs = Date.parse(script.startsAt);
    const random = seededRandom(script.seed);
    let asked = 0;
    const count = <T>(answer: Promise<T>): Promise<T> => {
      asked += 1;
      this.#statements += 1;
      return answer.finally(() => {
        asked -= 1;
      });
    };
    const time = virtualTime(this.#startMs, () => asked > 0);
    this.#time = time;
    const store: Store = {
      ...given,
      now: time,
      run: (...question) => count(given.run(...question)),
      readRow: (query) => count(given.readRow(query)),
    };
    this.#rows = new Rows(store);
    this.#publication = new Publication(this.#audit, this.#rows);
    this.#figures = new Figures(this.#audit, this.#rows, { mayWait: script.isWild, isAskew: script.isAskew });
    this.#callers = new Callers(this.#audit, !script.isAskew);
    this.#alerts = new Alerts(this.#audit, this.#rows);
    this.#engine = new Engine(time, this.#watch(), this.#count);
    this.#market = new Market(time, script.intervalMs);
    this.#receivers = new Receivers(time);
    const operator = new Host("operator", time, store, this.#count, 0, 0);
    this.#people = new People({
      store: operator.store,
      bus: this.#engine.live(operator).bus,
      random,
      clock: time,
      call: (api, ...question) => this.#call(api, question),
      stateOf: (api) => this.#stateOf(this.#stage.hostOf(api)),
      note: (line) => this.#note(line),
      callers: this.#callers,
      figures: this.#figures,
      alerts: this.#alerts,
    });
    this.#stage = new Stage({
      time,
      store,
      engine: this.#engine,
      random,
      market: this.#market,
      audit: this.#audit,
      count: this.#count,
      note: (line) => this.#note(line),
      postFrom: (host) => this.#receivers.postFrom(host, (person, ...parcel) => this.#posted(host, person, parcel)),
      onStream: (isRunning) => this.#onStream(isRunning),
    });
  }

  #watch() {
    return {
      published: (event: MarketEvent, by: string) => {
        this.#note(`${by} publishes ${JSON.stringify(event)}`);
        return this.#publication.sent(event);
      },
      granted: (holder: string, token: number) => {
        this.#note(`${holder} is granted ${token}`);
        void this.#publication.granted(token);
      },
    };
  }

  async run(): Promise<Outcome> {
    await this.#people.settle();
    if (this.#script.isWild) await this.#people.begin();
    for (const person of this.#people.all) this.#followers.set(person.name, this.#followerOf(person));
    if (this.#script.isWild) for (const [source, behaves] of this.#script.begins.entries()) this.#market.behave(source, behaves);
    this.#stage.startAll();
    await this.#time.advance(5_000);
    // So that there are some in every world.
    for (const who of ["pat", "ray"] as const) {
      this.#receivers.set(who, this.#script.receive[who]);
      for (const is of ["above", "below"] as const) void this.#people.alert({ who, api: "east", is, cents: 0, once: false });
    }
    const scene = this.#scene();
    for (const { event, thenMs } of this.#script.steps) {
      this.#note(`event ${JSON.stringify(event)}`);
      this.#count(`event ${event.kind}`);
      await happen(scene, event);
      await this.#time.advance(thenMs);
      await this.#committed();
      if (this.#audit.failure) break;
    }
    if (!this.#audit.failure) await this.#endWell();
    await this.#endAll();
    const { failure } = this.#audit;
    if (this.#rows.withdrawn.length > 0) this.#count("withdrawn");
    if (failure) this.#note(`broken ${failure.message}`);
    return {
      failure,
      hash: this.#hash.digest("hex").slice(0, 16),
      faults: this.#faults,
      happened: this.#happened,
      trace: this.#trace,
    };
  }

  #scene(): Scene {
    return {
      script: this.#script,
      time: this.#time,
      stage: this.#stage,
      engine: this.#engine,
      market: this.#market,
      people: this.#people,
      receivers: this.#receivers,
      callers: this.#callers,
      followers: this.#followers,
      connect: (who) => this.#connect(this.#people.of(who)),
      pass: (ms) => this.#time.advance(ms),
    };
  }

  get #happened(): number {
    return this.#time.ran() + this.#statements + this.#trace.length;
  }

  readonly #count = (what: string): void => void this.#faults.set(what, (this.#faults.get(what) ?? 0) + 1);

  #note(line: string): void {
    const timed = `${this.#time() - this.#startMs} ${line}`;
    this.#trace.push(timed);
    this.#hash.update(`${timed}\n`);
  }

  async #committed(): Promise<void> {
    await this.#rows.refresh();
    await this.#publication.committed();
    await this.#figures.folded();
  }

  async #call(api: ApiName, [key, route, input, id]: [string, string, unknown, string]): Promise<Answer | null> {
    const host = this.#stage.hostOf(api);
    const running = this.#stage.apiOf(api);
    if (!host || !running) return null;
    try {
      const answer = await running.call(route, key, input, id);
      return host.isAlive ? answer : null;
    } catch (error) {
      this.#note(`${api} ${route} fails: ${error}`);
      return null;
    }
  }

  #stateOf(host: Host | undefined): Pick<Doing, "clockMs" | "troubleMs"> {
    return { clockMs: host?.time() ?? this.#time(), troubleMs: host?.troubleMs ?? 0 };
  }

  #posted(host: Host, name: PersonName, [url, id, body]: [string, string, string]): void {
    this.#note(`${host.name} posts ${url} ${id} ${body}`);
    this.#count("posted");
    const { standings } = this.#people.of(name);
    void this.#alerts.posted(url, id, body, { standings, nowMs: this.#time(), ...this.#stateOf(host) });
  }

  #followerOf(person: Person): Follower {
    const { name } = person;
    const follower: Follower = new Follower({
      received: (frame, last) => {
        if (frame.type === "heartbeat") return;
        this.#note(`${name} receives ${JSON.stringify(frame)}`);
        if (frame.type === "error") return;
        this.#publication.received(name, frame, last);
        const doing = { standings: person.standings, nowMs: this.#time(), ...this.#stateOf(this.#stage.hostOf("stream")) };
        void this.#callers.streamed(name, doing);
      },
      answered: (status) => {
        this.#note(`${name} is answered ${status}`);
        const state = this.#stateOf(this.#stage.hostOf("stream"));
        const nowMs = this.#time();
        const call = {
          person: name,
          route: "prices.stream",
          status,
          body: {},
          isMetered: true,
          isLight: false,
          askedMs: follower.askedMs,
        };
        void this.#callers.answered({ ...call, standings: person.standings, nowMs, ...state });
      },
      ended: (status) => {
        if (status === null) this.#callers.vanished(name);
        const retryMs = status === 200 ? RETRY_MS : REFUSED_MS;
        this.#time.after(retryMs, () => this.#connect(person));
      },
    });
    return follower;
  }

  #connect(person: Person): void {
    const streams = this.#stage.stream?.streams;
    // Without a right to it nobody tries again and again.
    if (streams && person.tier !== "free") this.#followers.get(person.name)?.connect(streams, person.key.plaintext, this.#time());
  }

  #onStream(isRunning: boolean): void {
    for (const person of this.#people.all)
      if (isRunning) this.#connect(person);
      else this.#followers.get(person.name)?.disconnect();
  }

  /** Everything heals; then all must be as it should. */
  async #endWell(): Promise<void> {
    this.#engine.heal();
    for (const host of this.#stage.hosts) host.heal();
    for (const name of PROCESSES) this.#stage.setClock(name, 0);
    this.#market.heal();
    for (const follower of this.#followers.values()) follower.slow(false);
    await this.#people.restore();
    await this.#time.advance(HEALED_MS + 3 * this.#script.intervalMs);
    for (const person of this.#people.all) this.#connect(person);
    await this.#time.advance(10);
    await this.#committed();
    const isTrue = (price: string, atMs: number): boolean => Math.abs(Number(price) - Number(truth(atMs))) < 60;
    const { isWild, isAskew, intervalMs } = this.#script;
    await this.#figures.timely(this.#time(), 2 * intervalMs + 5_000 + (isAskew ? 120_000 : 0), isTrue);
    if (!isWild && !isAskew) await this.#figures.truthful(this.#publication, this.#market.said, this.#market.freshForMs);
    for (const { name } of this.#people.all) {
      const follower = this.#followers.get(name);
      if (follower?.isConnected) await this.#publication.caughtUp(name, follower.last);
    }
    await this.#settled(this.#asksAll());
    await this.#alerts.ended(this.#time(), !isWild && !isAskew);
  }

  async #asksAll(): Promise<void> {
    for (const { name } of this.#people.all) await this.#people.ask(name, APIS[0], 4);
    for (const interval of ["1m", "5m", "1d"]) await this.#people.bars(interval, this.#startMs);
    for (const agoMs of [37_000, 74_000, 301_000]) await this.#people.past("pat", APIS[1], agoMs, true);
    await this.#people.ledger();
  }

  /** Lets the engines answer what is asked outside of time. */
  async #settled(answer: Promise<void>): Promise<void> {
    let isDone = false;
    const done = answer.finally(() => {
      isDone = true;
    });
    for (let tries = 0; !isDone && tries < 100; tries += 1) await this.#time.advance(100);
    await this.#audit.ended("a call is not answered", isDone);
    if (isDone) await done;
  }

  async #endAll(): Promise<void> {
    for (const host of this.#stage.hosts) host.heal();
    const stopping = this.#stage.stopAll();
    await this.#time.advance(ENDS_WITHIN_MS + 1_000);
    await stopping;
    await this.#committed();
  }
}
