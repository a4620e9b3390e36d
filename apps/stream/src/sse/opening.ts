/** What precedes an SSE stream: the pipeline of every route, then acquiring a place among the key's streams. */
import type { IncomingMessage } from "node:http";
import {
  type Fail,
  type FailWith,
  formatTimestamp,
  requestSchema,
  SSE_SYMBOLS,
  type SseSymbol,
  SYMBOL_HINT,
  streams,
  type TierCatalog,
} from "@assay/contract";
import type { StreamPlace } from "@assay/live";
import { readPriceSymbol } from "@assay/pricing";
import { clientAddress, keyOf, requestIdOf } from "@assay/process";
import { type CallerKey, invoker, type Outcome, type PipelineDeps, requireSymbol, type VerbContext } from "@assay/services";
import type { Places } from "../session/places.ts";

/** Retry-After when a key has too many streams open, in seconds: an estimate. */
const RETRY_AFTER_SECONDS = 5;

/** What a stream is opened with. */
export interface Opening {
  readonly symbol: SseSymbol;
  /** The client's last number; undefined for a new client. */
  readonly resumeFrom: number | undefined;
  readonly key: Pick<CallerKey, "hash" | "revokedAtMs">;
  /** Null for HEAD, which opens no stream. */
  readonly place: StreamPlace | null;
}

/** A parsed request. */
interface Request {
  readonly symbol: string;
  readonly lastEventId: string | undefined;
  readonly isHead: boolean;
  opening: Opening | null;
}

/** A route with parameters may refuse with `validation_error`, used here for a header. */
type FailStream = Fail<typeof streams.prices> & FailWith<"validation_error">;
type FailInvalid = FailWith<"validation_error">;

const invalid = (fail: FailInvalid, path: string[], code: string, message: string): never =>
  fail("validation_error", { issues: [{ path, code, message }] });

const schema = requestSchema(streams.prices);

const readSymbol = (incoming: IncomingMessage, fail: FailInvalid): string => {
  const { url = "" } = incoming;
  const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
  const given = Object.keys(schema.shape).map((name) => [name, query.getAll(name)] as const);
  for (const [name, values] of given)
    if (values.length > 1) return invalid(fail, ["query", name], "repeated", "must be given once");
  const read = schema.safeParse(Object.fromEntries(given.map(([name, [value]]) => [name, value])));
  if (read.success) return streams.prices.input.parse(read.data).symbol;
  const issues = read.error.issues.map(({ path, code, message }) => ({ path: ["query", ...path.map(String)], code, message }));
  return fail("validation_error", { issues });
};

const isStreamed = (symbol: string): symbol is SseSymbol => (SSE_SYMBOLS as readonly string[]).includes(symbol);

/** The number in a Last-Event-ID. It must be of this symbol: any other would resume something else. */
const readLastEventId = (written: string | undefined, symbol: SseSymbol, fail: FailInvalid): number | undefined => {
  if (written === undefined || written === "") return undefined;
  const [, name, digits] = /^([A-Z-]+):([0-9]{1,15})$/.exec(written) ?? [];
  if (name === symbol) return Number(digits);
  return invalid(fail, ["header", "Last-Event-ID"], "invalid_format", `must be an id of ${symbol}, such as ${symbol}:1841`);
};

/** What opening depends on. */
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

/** Creates the function that opens streams. */
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
        hint: SYMBOL_HINT,
      });
    }
    requireSymbol(catalog, caller, reading.entry, fail);
    const resumeFrom = readLastEventId(request.lastEventId, symbol, fail);
    if (!caller.key) throw new Error("a stream was opened without a key");
    const limit = catalog.tiers[caller.tier].max_concurrent_streams;
    const place = request.isHead ? null : await places.take({ keyId: caller.key.id, orgId: caller.key.orgId }, limit);
    if (!place && !request.isHead) {
      return fail("rate_limit_exceeded", {
        message: "The key, or its organisation, has as many streams open as its tier allows.",
        limit,
        window: "streams",
        retry_after_seconds: RETRY_AFTER_SECONDS,
        reset_at: formatTimestamp(new Date(nowMs + RETRY_AFTER_SECONDS * 1000)),
      });
    }
    const { hash, revokedAtMs } = caller.key;
    request.opening = { symbol, resumeFrom, key: { hash, revokedAtMs }, place };
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
        request = {
          symbol: readSymbol(incoming, fail),
          lastEventId: typeof header === "string" ? header : undefined,
          isHead: incoming.method === "HEAD",
          opening: null,
        };
        return request;
      },
    });
    return { outcome, opening: (request as Request | null)?.opening ?? null };
  };
};
