/** The service under test: sends requests for routes, each in the lane of its allowance. */
import type { Route } from "@assay/contract";
import { requestBody, requestPath } from "@assay/testkit/wire";
import type { Caller } from "./caller.ts";
import { type Exchange, Gone, type Sent, Unreachable } from "./exchange.ts";
import { Lane, type LaneTime } from "./lane.ts";
import { send } from "./send.ts";

/** How a request differs from a plain one. */
export interface Asking {
  readonly input?: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** A method other than the route's. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Appended verbatim to the query string. */
  readonly extraQuery?: string;
  /** Sent instead of the input's own body. */
  readonly rawBody?: string;
  /** The priority when the allowance is short: lower goes first. */
  readonly priority?: number;
}

/** Priorities of requests when the allowance is not enough for all. */
export const PRIORITY = { gate: 0, gatedInput: 1, invariant: 2, bulk: 3 } as const;

/** The origin a browser would send; a service without CORS ignores it. */
const ORIGIN = "https://contract-test.invalid";
/** After this many unanswered requests in a row the service counts as gone. */
const GONE_AFTER = 5;
/** Half of an hour's allowance is left to other clients of this address. */
const HOUR_RESERVE = 0.5;

/** Options of the service under test. */
export interface ServiceOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly maxWaitMs: number;
  readonly time: LaneTime;
  /** Called for every answer. */
  readonly onAnswer?: () => void;
  /** Called once, when it counts as gone. */
  readonly onGone?: () => void;
}

/** The service under test. */
export class Service {
  readonly baseUrl: string;
  readonly #options: ServiceOptions;
  readonly #lanes = new Map<string, Lane>();
  #count = 0;
  #unanswered = 0;
  #gone: Gone | null = null;

  constructor(options: ServiceOptions) {
    this.baseUrl = options.baseUrl;
    this.#options = options;
  }

  /** The number of requests sent. */
  get requests(): number {
    return this.#count;
  }

  /** Why it counts as gone; null while it answers. */
  get gone(): Gone | null {
    return this.#gone;
  }

  /** Requests a route. */
  route(route: Route, asking: Asking): Promise<Exchange> {
    const { input = {}, extraQuery, rawBody, method = route.method } = asking;
    const body = method === "POST" ? (rawBody ?? requestBody(route, input) ?? undefined) : undefined;
    const lane = method === route.method || method === "HEAD" ? this.#laneOf(route, asking.caller) : "unlimited";
    return this.#send(lane, requestPath(route, input, extraQuery), { ...asking, method }, body);
  }

  /** Requests a path that matches no route. */
  path(path: string, asking: Omit<Asking, "input">): Promise<Exchange> {
    return this.#send("unlimited", path, asking, asking.rawBody);
  }

  #laneOf({ access }: Route, caller: Caller): string {
    if (access.limit === "none") return "unlimited";
    return access.limit === "light" ? "light" : caller.name;
  }

  #send(lane: string, path: string, asking: Asking, body: string | undefined): Promise<Exchange> {
    const { caller, method = "GET", headers = {}, priority = PRIORITY.bulk } = asking;
    return this.#lane(lane).send(priority, async () => {
      this.#count += 1;
      const sent: Sent = {
        method,
        url: `${this.baseUrl}${path}`,
        headers: {
          "x-request-id": `contract-test-${this.#count}`,
          origin: ORIGIN,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...caller.headers,
          ...headers,
        },
        body,
        caller,
      };
      return this.#answered(sent);
    });
  }

  async #answered(sent: Sent): Promise<Exchange> {
    if (this.#gone !== null) throw this.#gone;
    try {
      const exchange = await send(sent);
      this.#unanswered = 0;
      this.#options.onAnswer?.();
      return exchange;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#unanswered += 1;
      if (this.#unanswered < GONE_AFTER) throw error;
      this.#gone ??= new Gone(error.message);
      this.#options.onGone?.();
      throw this.#gone;
    }
  }

  #lane(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known) return known;
    const { maxWaitMs, time } = this.#options;
    const allowance = name === "without a key" ? "keyless allowance" : `allowance of ${name}`;
    const reserve = name === "without a key" ? { hourReserve: HOUR_RESERVE } : {};
    const lane = new Lane({ name: allowance, maxWaitMs, time, ...reserve });
    this.#lanes.set(name, lane);
    return lane;
  }
}
