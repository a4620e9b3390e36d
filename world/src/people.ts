/** Callers and the operator: each person is an organisation with a key, asks, makes alerts, and is moved between tiers. */
import { DAY_MS, formatTimestamp, HOUR_MS, MINUTE_MS, shownSecond } from "@assay/contract";
import { type Store, upsertBars } from "@assay/db";
import type { BusPort } from "@assay/live";
import type { Random } from "@assay/ports";
import { changeTier, createKey, revokeAnyKey } from "@assay/services";
import type { Alerts } from "./audit/alerts.ts";
import type { Json } from "./audit/audit.ts";
import { type Callers, type Doing, delayOf, type Standing } from "./audit/callers.ts";
import type { Figures } from "./audit/figures.ts";
import { GOLD } from "./audit/rows.ts";
import { type ApiName, PEOPLE, type PersonName, type Tier } from "./cast.ts";
import { EURO, truth } from "./market.ts";
import type { Answer } from "./processes.ts";
import { addressOf } from "./receivers.ts";

/** An answer, read. */
interface Reply {
  readonly status: number;
  readonly body: Json;
}

/** A person. */
export interface Person {
  readonly name: PersonName;
  tier: Tier;
  key: { readonly id: string; readonly plaintext: string };
  readonly standings: Standing[];
  /** Where events are sent; null when there is no such endpoint. */
  endpoint: { readonly id: string; readonly url: string } | null;
  /** Calls that have no answer yet. */
  open: number;
}

/** An alert that somebody wants, at a distance of what gold costs. */
interface WantedAlert {
  readonly who: PersonName;
  readonly api: ApiName;
  readonly is: "above" | "below";
  readonly cents: number;
  readonly once: boolean;
}

/** What people need of their world. */
export interface PeopleDeps {
  readonly store: Store;
  readonly bus: Pick<BusPort, "publish">;
  readonly random: Random;
  readonly clock: () => number;
  /** Calls a process; null when it does not run, or ends first. */
  readonly call: (api: ApiName, key: string, route: string, input: Json, id: string) => Promise<Answer | null>;
  /** The clock of an API, and until when it was in trouble. */
  readonly stateOf: (api: ApiName) => Pick<Doing, "clockMs" | "troubleMs">;
  readonly note: (line: string) => void;
  readonly callers: Callers;
  readonly figures: Figures;
  readonly alerts: Alerts;
}

const UNMETERED = new Set(["account", "alerts", "endpoints", "system"]);

export class People {
  readonly #deps: PeopleDeps;
  readonly #all = new Map<PersonName, Person>();
  #asked = 0;

  constructor(deps: PeopleDeps) {
    this.#deps = deps;
  }

  /** Gives everyone a key. */
  async settle(): Promise<void> {
    for (const [name, tier] of Object.entries(PEOPLE) as [PersonName, Tier][]) {
      const person: Person = { name, tier, key: { id: "", plaintext: "" }, standings: [], endpoint: null, open: 0 };
      this.#all.set(name, person);
      await this.#mint(person);
    }
  }

  get all(): readonly Person[] {
    return [...this.#all.values()];
  }

  of(name: PersonName): Person {
    return this.#all.get(name) as Person; // everyone is
  }

  #stands(person: Person, tier: Tier | null): void {
    const nowMs = this.#deps.clock();
    const last = person.standings.at(-1);
    if (last) last.untilMs = nowMs;
    person.standings.push({ tier, untilMs: Number.POSITIVE_INFINITY });
    if (!last) return;
    for (const alert of this.#deps.alerts.made.values())
      if (alert.url.startsWith(addressOf(person.name, 0).slice(0, -1))) alert.isSteady = false;
  }

  async #mint(person: Person): Promise<void> {
    const { store, random, clock } = this.#deps;
    const { name, tier } = person;
    const { id, plaintext } = await createKey(store, { org: name, tier, name }, clock(), random);
    person.key = { id, plaintext };
    this.#stands(person, tier);
  }

  async tier(who: PersonName, tier: Tier): Promise<void> {
    const person = this.of(who);
    if (person.tier === tier) return;
    person.tier = tier;
    await changeTier(this.#deps, { org: who, tier });
    if (person.standings.at(-1)?.tier !== null) this.#stands(person, tier);
  }

  async revoke(who: PersonName): Promise<void> {
    const person = this.of(who);
    if (person.standings.at(-1)?.tier === null) return;
    this.#stands(person, null);
    await revokeAnyKey(this.#deps, person.key.id, this.#deps.clock());
  }

  /** Imports a figure of the operator's for a minute that is over. */
  async imports(agoMs: number, cents: number): Promise<void> {
    const barStartMs = this.#minute(agoMs);
    if (this.#deps.figures.hasClosed(barStartMs)) await this.#import(barStartMs, cents);
  }

  /** Imports what was true ten minutes before the world begins: a lie is a leap from there. */
  begin(): Promise<void> {
    return this.#import(this.#minute(10 * MINUTE_MS), 0);
  }

  #minute(agoMs: number): number {
    return Math.floor((this.#deps.clock() - agoMs) / MINUTE_MS) * MINUTE_MS;
  }

  async #import(barStartMs: number, cents: number): Promise<void> {
    const { store, bus, figures } = this.#deps;
    const price = (Number(truth(barStartMs)) + cents / 100).toFixed(2);
    const figure = { open: price, high: price, low: price, close: price, volume: null, isClosed: true, sourceId: "import:desk" };
    await upsertBars(store, [{ symbol: GOLD, interval: "1m", barStartMs, ...figure }]);
    figures.imported(barStartMs, price);
    await bus.publish({ kind: "bars-replaced", symbol: GOLD });
  }

  /** Gives who has no key another one. */
  async readmit(who: PersonName): Promise<void> {
    const person = this.of(who);
    if (person.standings.at(-1)?.tier === null) await this.#mint(person);
  }

  /** Gives everyone the tier and the right that they began with. */
  async restore(): Promise<void> {
    for (const { name } of this.all) {
      await this.readmit(name);
      await this.tier(name, PEOPLE[name]);
    }
  }

  async #call(person: Person, api: ApiName, route: string, input: Json): Promise<Reply | null> {
    const { clock, note, callers, call, stateOf } = this.#deps;
    const { name, key, standings } = person;
    const askedMs = clock();
    this.#asked += 1;
    person.open += 1;
    const answer = await call(api, key.plaintext, route, input, `r${this.#asked}`);
    person.open -= 1;
    note(`${name} ${api} ${route} ${JSON.stringify(input)} ${answer ? `${answer.status} ${answer.text}` : "no answer"}`);
    if (!answer) {
      callers.vanished(name);
      return null;
    }
    const body = (answer.text === "" ? {} : JSON.parse(answer.text)) as Json; // as the contract has it
    const isMetered = !UNMETERED.has(route.split(".")[0] ?? "");
    const doing = { standings, nowMs: clock(), ...stateOf(api) };
    const isLight = route === "system.status";
    await callers.answered({ ...doing, person: name, route, status: answer.status, body, askedMs, isMetered, isLight });
    return { status: answer.status, body };
  }

  /** What costs gold, in three currencies, and silver; how the service is, and how much was used. */
  async ask(who: PersonName, api: ApiName, times: number): Promise<void> {
    const { figures, callers, clock } = this.#deps;
    const person = this.of(who);
    const symbols = ["XAU-EUR-SPOT", "XAU-JPY-SPOT", "XAG-USD-SPOT", GOLD];
    const rows = async (symbol: string): Promise<readonly Json[]> => {
      const reply = await this.#call(person, api, "prices.list", { symbol, include: "sources" });
      return reply?.status === 200 ? (reply.body.symbols as readonly Json[]) : []; // as the contract has it
    };
    for (let time = 0; time < times; time += 1)
      for (const row of await rows(symbols[time % 4] ?? "")) if (row.quote_currency !== "USD") await figures.priced(row);
    const status = await this.#call(person, api, "system.status", {});
    const [gold] = await rows(GOLD);
    const isLive = person.standings.every(({ tier, untilMs }) => tier !== "free" || untilMs < clock() - MINUTE_MS);
    if (status?.status === 200 && gold && isLive) await callers.healthy(status.body, gold);
    const isAlone = person.open === 0;
    const usage = await this.#call(person, api, "account.usage", {});
    if (usage?.status === 200 && isAlone && person.open === 0) await callers.used(who, usage.body);
  }

  /** What gold cost at an instant, on the day before it, and what was known of its bars then. */
  async past(who: PersonName, api: ApiName, agoMs: number, hasAll: boolean): Promise<void> {
    const { clock, figures } = this.#deps;
    const person = this.of(who);
    const atMs = shownSecond(clock() - agoMs);
    const midnight = `${formatTimestamp(atMs).slice(0, 10)}T00:00:00Z`;
    const day = formatTimestamp(Date.parse(midnight) - 1).slice(0, 10);
    for (const currency of ["USD", EURO])
      for (const [at, isDay] of [[formatTimestamp(atMs), false] as const, [day, true] as const]) {
        const reply = await this.#call(person, api, "spot.get", { symbol: `XAU-${currency}-SPOT`, at });
        if (reply?.status !== 200) continue;
        if (currency !== "USD") await figures.priced(reply.body);
        const isReached = hasAll && clock() - atMs > delayOf(person.tier);
        if (isReached) await figures.answeredPast(isDay ? Date.parse(midnight) : atMs, currency, isDay, reply.body);
      }
    if (agoMs < MINUTE_MS || person.tier === "free") return;
    const span = { from: formatTimestamp(atMs - HOUR_MS), to: formatTimestamp(atMs) };
    const question = { symbol: GOLD, interval: "1m", ...span, known_at: formatTimestamp(atMs), limit: 100 };
    const reply = await this.#call(person, api, "bars.list", question);
    if (reply?.status === 200) await figures.known(JSON.stringify(question), reply.body);
  }

  /** The bars of an interval, as they are. */
  async bars(interval: string, startMs: number): Promise<void> {
    const person = this.of("ray");
    const span = { from: formatTimestamp(startMs - DAY_MS), to: formatTimestamp(startMs + 2 * DAY_MS) };
    const reply = await this.#call(person, "east", "bars.list", { symbol: GOLD, interval, ...span, limit: 400 });
    if (reply?.status === 200) await this.#deps.figures.remembered(interval, reply.body);
  }

  /** The ledger. */
  async ledger(): Promise<void> {
    const reply = await this.#call(this.of("ray"), "west", "corrections.list", { limit: 10_000 });
    if (reply?.status === 200) await this.#deps.figures.chained(reply.body);
  }

  async alert({ who, api, is, cents, once }: WantedAlert): Promise<void> {
    const { clock, alerts } = this.#deps;
    const person = this.of(who);
    if (!person.endpoint) {
      const url = addressOf(who, this.#asked);
      const reply = await this.#call(person, api, "endpoints.create", { url });
      if (reply?.status !== 201) return;
      person.endpoint = { id: String(reply.body.id), url };
    }
    const { id: endpoint, url } = person.endpoint;
    const threshold = (Number(truth(clock())) + cents / 100).toFixed(2);
    const wanted = { symbol: GOLD, kind: is, threshold, once, endpoint_id: endpoint };
    const tierBefore = person.standings.at(-1);
    const reply = await this.#call(person, api, "alerts.create", wanted);
    if (reply?.status !== 201) return;
    alerts.made.set(String(reply.body.id), {
      id: String(reply.body.id),
      is,
      threshold,
      once,
      url,
      madeMs: clock(),
      deletedMs: Number.POSITIVE_INFINITY,
      isSteady: person.standings.at(-1) === tierBefore && reply.body.paused_reason === null,
      delayMs: delayOf(person.tier),
    });
  }

  async unalert(who: PersonName, api: ApiName): Promise<void> {
    const { alerts, clock } = this.#deps;
    const person = this.of(who);
    const { endpoint } = person;
    if (!endpoint) return;
    for (const alert of alerts.made.values()) {
      if (alert.url !== endpoint.url) continue;
      const reply = await this.#call(person, api, "alerts.delete", { alert_id: alert.id });
      // Unanswered, it may be deleted or not.
      alert.isSteady = false;
      if (reply?.status === 204) alert.deletedMs = clock();
    }
    const reply = await this.#call(person, api, "endpoints.delete", { endpoint_id: endpoint.id });
    if (reply?.status !== 204) return;
    alerts.deleted(endpoint.url, clock());
    person.endpoint = null;
  }
}
