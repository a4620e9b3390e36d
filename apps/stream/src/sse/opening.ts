/** What stands before an SSE stream: the very pipeline of every route, then a place among the key's streams. */
import type { IncomingMessage } from "node:http";
import { clientAddress, keyOf, requestIdOf } from "@assay/config";
import { formatTimestamp, Refusal, SSE_SYMBOLS, type SseSymbol, SYMBOL_HINT, streams, type TierCatalog } from "@assay/contract";
import type { StreamPlace } from "@assay/live";
import { readPriceSymbol } from "@assay/pricing";
import { type CallerKey, invoker, type Outcome, type PipelineDeps, requireSymbol, type VerbContext } from "@assay/services";
import type { Places } from "../places.ts";

/** When a key that has too many streams open may have room again, in seconds; nobody knows better. */
const RETRY_AFTER_SECONDS = 5;

/** What a stream is opened with. */
export interface Opening {
  readonly symbol: SseSymbol;
  /** The last number the client has; undefined for a new one. */
  readonly resumeFrom: number | undefined;
  readonly key: Pick<CallerKey, "hash" | "revokedAtMs">;
  /** Null for HEAD, which opens nothing. */
  readonly place: StreamPlace | null;
}

/** A request as far as it was read. */
interface Request {
  readonly symbol: string;
  readonly lastEventId: string | undefined;
  readonly isHead: boolean;
  opening: Opening | null;
}

const invalid = (path: string[], code: string, message: string): Refusal =>
  new Refusal("validation_error", { issues: [{ path, code, message }] });

const readSymbol = (incoming: IncomingMessage): string => {
  const { url = "" } = incoming;
  const given = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "").getAll("symbol");
  if (given.length > 1) throw invalid(["query", "symbol"], "repeated", "must be given once");
  const read = streams.prices.input.safeParse({ symbol: given[0] });
  if (read.success) return read.data.symbol;
  const issues = read.error.issues.map(({ path, code, message }) => ({ path: ["query", ...path], code, message }));
  throw new Refusal("validation_error", { issues });
};

const isStreamed = (symbol: string): symbol is SseSymbol => (SSE_SYMBOLS as readonly string[]).includes(symbol);

/** The number in a Last-Event-ID. It has to be one of this symbol: another would resume something else. */
const readLastEventId = (written: string | undefined, symbol: SseSymbol): number | undefined => {
  if (written === undefined || written === "") return undefined;
  const [, name, digits] = /^([A-Z-]+):([0-9]{1,15})$/.exec(written) ?? [];
  if (name === symbol) return Number(digits);
  throw invalid(["header", "Last-Event-ID"], "invalid_format", `must be an id of ${symbol}, such as ${symbol}:1841`);
};

/** What openings are made with. */
export interface OpenerOptions extends PipelineDeps {
  readonly catalog: TierCatalog;
  readonly places: Places;
  readonly trustProxy: readonly string[];
}

/** What came of a request: an answer, and the stream behind it when it is a good one. */
export interface Opened {
  readonly outcome: Outcome;
  readonly opening: Opening | null;
}

/** Prepares the opening of streams. */
export const opener = (options: OpenerOptions): ((incoming: IncomingMessage) => Promise<Opened>) => {
  const { catalog, places, trustProxy } = options;
  const addressOf = clientAddress(trustProxy);

  const verb = async (input: unknown, { caller, nowMs }: VerbContext): Promise<undefined> => {
    const request = input as Request; // what `readInput` below has made
    const reading = readPriceSymbol(request.symbol);
    const symbol = reading.kind === "known" ? reading.entry.symbol : "";
    if (reading.kind !== "known" || !isStreamed(symbol)) {
      throw new Refusal("invalid_symbol", {
        message: `The stream carries ${SSE_SYMBOLS.join(" and ")}.`,
        symbol: request.symbol,
        hint: SYMBOL_HINT,
      });
    }
    requireSymbol(catalog, caller, reading.entry);
    const resumeFrom = readLastEventId(request.lastEventId, symbol);
    if (!caller.key) throw new Refusal("unauthenticated");
    const limit = catalog.tiers[caller.tier].max_concurrent_streams;
    const place = request.isHead ? null : await places.take({ keyId: caller.key.id, orgId: caller.key.orgId }, limit);
    if (!place && !request.isHead) {
      throw new Refusal("rate_limit_exceeded", {
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
      readInput: () => {
        request = {
          symbol: readSymbol(incoming),
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
