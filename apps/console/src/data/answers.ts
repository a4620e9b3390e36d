/** Answers of the service, cached per key: fetched once, refreshed while they are looked at, kept through a lost connection. */
import { wireErrorOf } from "@assay/sdk/trpc";
import { QueryCache, QueryClient, QueryObserver, type QueryObserverOptions } from "@tanstack/query-core";
import { useEffect, useReducer, useState } from "preact/hooks";
import { refuseKey, session } from "./key.ts";
import { onReturn } from "./reach.ts";
import { type Api, api } from "./trpc.ts";

const SECOND_MS = 1_000;
/** Attempts after a failure that was no refusal. */
const RETRIES = 2;

/** A refusal comes again on a retry; only a lost connection is tried again. */
const isWorthRetrying = (failures: number, error: Error): boolean => wireErrorOf(error) === null && failures <= RETRIES;

/** A key can end while the console is open; the first query that fails because of it signs the whole page out. */
const cache = new QueryCache({
  onError: (error) => {
    if (wireErrorOf(error)?.error === "invalid_api_key") refuseKey();
  },
});

/** The cache of all pages. */
export const answers = new QueryClient({
  queryCache: cache,
  defaultOptions: {
    queries: {
      // Whether the service is there is known better than by the browser's idea of a network.
      networkMode: "always",
      retry: isWorthRetrying,
      staleTime: 5 * SECOND_MS,
    },
  },
});
answers.mount();

onReturn(() => void answers.invalidateQueries());

/** How an answer is kept up to date. */
export interface Freshness {
  /** Seconds between refreshes while it is shown; null for none. */
  readonly everySeconds?: number | null;
  /** Whether it is asked for at all. */
  readonly isWanted?: boolean;
}

/** An answer, and what is known of it. */
export interface Answer<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  /** Whether another attempt is under way. */
  readonly isAsking: boolean;
  readonly askAgain: () => void;
}

/** Follows one question of the cache; components that ask the same share its answer. */
export const useQuestion = <T>(
  name: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<T>,
  { everySeconds = null, isWanted = true }: Freshness = {},
): Answer<T> => {
  const options: QueryObserverOptions<T, Error> = {
    queryKey: name,
    queryFn: ({ signal }) => ask(signal),
    enabled: isWanted,
    refetchInterval: everySeconds === null ? false : everySeconds * SECOND_MS,
  };
  const [observer] = useState(() => new QueryObserver<T, Error>(answers, options));
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => observer.setOptions(options));
  useEffect(() => observer.subscribe(() => redraw(undefined)), [observer]);
  const { data, error, isFetching } = observer.getOptimisticResult(answers.defaultQueryOptions(options) as never); // its own type lacks the defaults' marks
  return { data, error, isAsking: isFetching, askAgain: () => void observer.refetch() };
};

/**
 * Asks the service, as long as a component is shown.
 * @param name what is asked, with every parameter
 * @param ask the call
 */
export const useAnswer = <T>(
  name: readonly (string | number | null)[],
  ask: (client: Api, options: { readonly signal: AbortSignal }) => Promise<T>,
  freshness: Freshness = {},
): Answer<T> => useQuestion([session.value, ...name], (signal) => ask(api.value, { signal }), freshness);
