/** The service under test: sends requests for routes, each in the lane of its allowance. */
import { type Route, takesBody } from "@assay/contract";
import { requestBody, requestPath } from "../inputs/parameters.ts";
import { type Caller, KEYLESS } from "./caller.ts";
import { type Exchange, type Sent, ServiceGone, Unreachable } from "./exchange.ts";
import { Lane, type LaneTime } from "./lane.ts";
import { send, type Transport } from "./send.ts";

/** How a request differs from a plain one. */
export interface RequestOptions {
  readonly input?: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** A method other than the route's. */
  readonly method?: string;
  /** Instead of those it would have; an undefined one is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly extraQuery?: string;
  /** Sent instead of the input's own body. */
  readonly rawBody?: string;
  /** How many events of a stream to read. */
  readonly events?: number;
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

export interface ServiceOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** How long requests may wait for their allowance; without it they are sent at once. */
  readonly pace?: { readonly maxWaitMs: number; readonly time: LaneTime };
  /** Sends a request and reads its answer; by default over HTTP. */
  readonly transport?: Transport;
  /** Headers of every request that does not set them itself, such as an unused address. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly onAnswer?: () => void;
  /** Called once, when it counts as gone. */
  readonly onGone?: () => void;
}

/** The method, path and body of a request for a route. */
export const addressOf = (
  route: Route,
  { input = {}, extraQuery, rawBody, method = route.method }: Omit<RequestOptions, "caller">,
) => ({
  method,
  path: requestPath(route, input, extraQuery),
  body: method === route.method && takesBody(route) ? (rawBody ?? requestBody(route, input) ?? undefined) : undefined,
});

const given = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

export class Service {
  readonly baseUrl: string;
  readonly #options: ServiceOptions;
  readonly #lanes = new Map<string, Lane>();
  #count = 0;
  #unanswered = 0;
  #gone: ServiceGone | null = null;

  constructor(options: ServiceOptions) {
    this.baseUrl = options.baseUrl;
    this.#options = options;
  }

  get requests(): number {
    return this.#count;
  }

  /** Why it counts as gone; null while it answers. */
  get gone(): ServiceGone | null {
    return this.#gone;
  }

  route(route: Route, options: RequestOptions): Promise<Exchange> {
    const { method, path, body } = addressOf(route, options);
    const lane = method === route.method || method === "HEAD" ? this.#laneOf(route, options.caller) : "unlimited";
    return this.#send(lane, path, { ...options, method }, body);
  }

  path(path: string, options: Omit<RequestOptions, "input">): Promise<Exchange> {
    return this.#send("unlimited", path, options, options.rawBody);
  }

  #laneOf({ access }: Route, caller: Caller): string {
    if (access.limit === "none") return "unlimited";
    return access.limit === "light" ? "light" : caller.name;
  }

  #send(lane: string, path: string, options: RequestOptions, body: string | undefined): Promise<Exchange> {
    const { caller, method = "GET", headers = {}, priority = PRIORITY.bulk } = options;
    return this.#paced(lane, priority, async () => {
      this.#count += 1;
      const sent: Sent = {
        method,
        url: `${this.baseUrl}${path}`,
        headers: given({
          "x-request-id": `contract-test-${this.#count}`,
          origin: ORIGIN,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...this.#options.headers?.(),
          ...caller.headers,
          ...headers,
        }),
        body,
        caller,
        ...(options.events === undefined ? {} : { events: options.events }),
      };
      return this.#answered(sent);
    });
  }

  async #answered(sent: Sent): Promise<Exchange> {
    if (this.#gone !== null) throw this.#gone;
    try {
      const exchange = await (this.#options.transport ?? send)(sent);
      this.#unanswered = 0;
      this.#options.onAnswer?.();
      return exchange;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#unanswered += 1;
      if (this.#unanswered < GONE_AFTER) throw error;
      this.#gone ??= new ServiceGone(error.message);
      this.#options.onGone?.();
      throw this.#gone;
    }
  }

  #paced(name: string, priority: number, start: () => Promise<Exchange>): Promise<Exchange> {
    const { pace } = this.#options;
    if (!pace) return start();
    const isKeyless = name === KEYLESS.name;
    const allowance = isKeyless ? "keyless allowance" : `allowance of ${name}`;
    const lane =
      this.#lanes.get(name) ?? new Lane({ name: allowance, ...pace, ...(isKeyless ? { hourReserve: HOUR_RESERVE } : {}) });
    this.#lanes.set(name, lane);
    return lane.send(priority, start);
  }
}
