/** What precedes an SSE stream: the pipeline of every route, then acquiring a place among the caller's streams. */
import type { IncomingMessage } from "node:http";
import {
  allowsSymbol,
  type Fail,
  type FailWith,
  formatDeadline,
  type InputOf,
  requestSchema,
  SSE_SYMBOLS,
  type SseSymbol,
  streams,
  symbolHint,
  type TierCatalog,
  type TierName,
  tierAtLeast,
  unrecognizedParameters,
} from "@assay/contract";
import type { StreamPlace } from "@assay/live";
import { readPriceSymbol } from "@assay/pricing";
import { clientAddress, keyOf, requestIdOf } from "@assay/process";
import { type CallerKey, invoker, type Outcome, type PipelineDeps, requireSymbol, type VerbContext } from "@assay/services";
import type { Places } from "../session/places.ts";

/** Retry-After when a key has too many streams open, in seconds: an estimate. */
const RETRY_AFTER_SECONDS = 5;

export interface Opening {
  readonly symbol: SseSymbol;
  /** The client's last number; undefined for a new client. */
  readonly resumeFrom: number | undefined;
  /** Null for a caller without a key. */
  readonly key: CallerKey | null;
  /** Null for HEAD, which opens no stream. */
  readonly place: StreamPlace | null;
  /** Whether a tier includes it: the caller's may be another one by then. */
  readonly isIncludedIn: (tier: TierName) => boolean;
}

interface Request {
  readonly symbol: string;
  /** Where the client says what it received last. */
  readonly resume: { readonly path: string[]; readonly id: string | undefined };
  readonly isHead: boolean;
  opening: Opening | null;
}

/** A route with parameters may refuse with `validation_error`, used here for a header. */
type FailStream = Fail<typeof streams.prices> & FailWith<"validation_error">;
type FailInvalid = FailWith<"validation_error">;

const invalid = (fail: FailInvalid, path: string[], code: string, message: string): never =>
  fail("validation_error", { issues: [{ path, code, message }] });

const schema = requestSchema(streams.prices);
const unknownInQuery = unrecognizedParameters(streams.prices, "query");

const readInput = (incoming: IncomingMessage, fail: FailInvalid): InputOf<typeof streams.prices> => {
  const { url = "" } = incoming;
  const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
  const unknown = unknownInQuery(new Set(query.keys()));
  const given = Object.keys(schema.shape).map((name) => [name, query.getAll(name)] as const);
  for (const [name, values] of given)
    if (values.length > 1) return invalid(fail, ["query", name], "repeated", "must be given once");
  const read = schema.safeParse(Object.fromEntries(given.map(([name, [value]]) => [name, value])));
  if (read.success && unknown.length === 0) return streams.prices.input.parse(read.data);
  const issues = (read.error?.issues ?? []).map(({ path, code, message }) => ({
    path: ["query", ...path.map(String)],
    code,
    message: query.has(String(path[0])) ? message : "is required",
  }));
  return fail("validation_error", { issues: [...unknown, ...issues] });
};

const isStreamed = (symbol: string): symbol is SseSymbol => (SSE_SYMBOLS as readonly string[]).includes(symbol);

/** The number in the id of an event. It must be of this symbol: any other would resume something else. */
const readLastEventId = ({ id = "", path }: Request["resume"], symbol: SseSymbol, fail: FailInvalid): number | undefined => {
  if (id === "") return undefined;
  const [, name, digits] = /^([A-Z-]+):([0-9]{1,16})$/.exec(id) ?? [];
  const seq = Number(digits);
  if (name === symbol && Number.isSafeInteger(seq)) return seq;
  return invalid(fail, path, "invalid_format", `must be an id of ${symbol}, such as ${symbol}:1841`);
};

export interface OpenerOptions extends PipelineDeps {
  readonly catalog: TierCatalog;
  readonly places: Places;
  readonly trustProxy: readonly string[];
}

/** The result: an answer, and the stream that follows it on success. */
export interface Opened {
  readonly outcome: Outcome;
  readonly opening: Opening | null;
}

export const opener = (options: OpenerOptions): ((incoming: IncomingMessage) => Promise<Opened>) => {
  const { catalog, places, trustProxy } = options;
  const addressOf = clientAddress(trustProxy);

  const verb = async (
    input: unknown,
    { caller, nowMs, fail }: VerbContext & { readonly fail: FailStream },
  ): Promise<undefined> => {
    const request = input as Request; // what `readInput` below returned
    const reading = readPriceSymbol(request.symbol);
    const symbol = reading.kind === "known" ? reading.entry.symbol : "";
    if (reading.kind !== "known" || !isStreamed(symbol)) {
      return fail("invalid_symbol", {
        message: `The stream carries ${SSE_SYMBOLS.join(" and ")}.`,
        symbol: request.symbol,
        hint: symbolHint(request.symbol),
      });
    }
    requireSymbol(catalog, caller, reading.entry, fail);
    const resumeFrom = readLastEventId(request.resume, symbol, fail);
    const limit = catalog.tiers[caller.tier].max_concurrent_streams;
    const place = request.isHead ? null : await places.take(caller, limit);
    if (!place && !request.isHead) {
      return fail("rate_limit_exceeded", {
        message: caller.key
          ? "The key, or its organisation, has as many streams open as its tier allows."
          : "Your address has as many streams open as callers without a key may.",
        limit,
        window: "streams",
        retry_after_seconds: RETRY_AFTER_SECONDS,
        reset_at: formatDeadline(nowMs + RETRY_AFTER_SECONDS * 1000),
      });
    }
    const isIncludedIn = (tier: TierName): boolean =>
      tierAtLeast(tier, streams.prices.access.tier) && allowsSymbol(catalog, tier, reading.entry);
    request.opening = { symbol, resumeFrom, key: caller.key, place, isIncludedIn };
  };
  const invoke = invoker(streams.prices, verb, options);

  return async (incoming) => {
    let request: Request | null = null;
    const header = incoming.headers["last-event-id"];
    const outcome = await invoke({
      requestId: requestIdOf(incoming),
      ip: addressOf(incoming),
      key: keyOf(incoming),
      readInput: (fail) => {
        const { symbol, lastEventId } = readInput(incoming, fail);
        request = {
          symbol,
          resume:
            typeof header === "string"
              ? { path: ["header", "Last-Event-ID"], id: header }
              : { path: ["query", "lastEventId"], id: lastEventId },
          isHead: incoming.method === "HEAD",
          opening: null,
        };
        return request;
      },
    });
    return { outcome, opening: (request as Request | null)?.opening ?? null };
  };
};
