/**
 * Answers of the service over tRPC, cached per key: fetched once, refreshed while they are looked at, kept through a lost
 * connection.
 */
import { type AppRouter, assayLink } from "@assay/sdk/trpc";
import { computed } from "@preact/signals";
import {
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  QueryCache,
  QueryClient,
  QueryObserver,
  type QueryObserverOptions,
} from "@tanstack/query-core";
import { createTRPCClient, type TRPCClient } from "@trpc/client";
import { useEffect, useReducer, useState } from "preact/hooks";
import { key, refuseKey, session } from "./key.ts";
import { BASE, onReturn, reach } from "./service.ts";
import { refusalIn } from "./wire-error.ts";

type Api = TRPCClient<AppRouter>;

/** The client for the key in use. */
export const api = computed<Api>(() =>
  createTRPCClient<AppRouter>({ links: [assayLink({ baseUrl: BASE, apiKey: key.value ?? undefined, fetch: reach })] }),
);

const SECOND_MS = 1_000;
/** Attempts after a failure that was no refusal. */
const RETRIES = 2;

/** A refusal comes again on a retry; only a lost connection is tried again. */
const isWorthRetrying = (failures: number, error: Error): boolean => refusalIn(error) === null && failures <= RETRIES;

const isInvalidKey = (error: unknown): boolean => refusalIn(error)?.error === "invalid_api_key";

/** A key can end while the console is open: the first answer that says so is for the whole page. */
const cache = new QueryCache({
  onError: (error, { queryKey: [ofSession] }) => {
    if (isInvalidKey(error) && ofSession === session.peek()) refuseKey();
  },
});

/**
 * Asks the service about a key that was typed, with a call that counts against no quota.
 * @returns whether it takes the key; null when it cannot be asked
 */
export const isTaken = async (apiKey: string): Promise<boolean | null> => {
  const client = createTRPCClient<AppRouter>({ links: [assayLink({ baseUrl: BASE, apiKey, fetch: reach })] });
  try {
    await client.account.usage.query();
    return true;
  } catch (error) {
    // Any other refusal is of a key that the service knows.
    return isInvalidKey(error) ? false : refusalIn(error) === null ? null : true;
  }
};

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
interface Freshness {
  /** Seconds between refreshes while it is shown; null for none. */
  readonly everySeconds?: number | null;
  /** Whether it is asked for at all. */
  readonly isWanted?: boolean;
}

/** An answer, and what is known of it. */
export interface Answer<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
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
 */
export const useAnswer = <T>(
  name: readonly (string | number | null)[],
  ask: (client: Api, options: { readonly signal: AbortSignal }) => Promise<T>,
  freshness: Freshness = {},
): Answer<T> => useQuestion([session.value, ...name], (signal) => ask(api.value, { signal }), freshness);

/** An answer in pages, as far as they were asked for. */
export interface Pages<Page> extends Pick<Answer<unknown>, "error" | "isAsking"> {
  readonly pages: readonly Page[];
  /** Whether all there are were read. */
  readonly isWhole: boolean;
  /** Asks for the next one, unless one is under way. */
  readonly more: () => void;
}

const NO_PAGES: readonly never[] = [];

/**
 * Asks the service page by page: the first one at once, each other one by `more`.
 * @param name what is asked, with every parameter
 */
export const usePages = <Page extends { readonly next_cursor: string | null }>(
  name: readonly (string | number | null)[],
  ask: (client: Api, cursor: string | undefined, options: { readonly signal: AbortSignal }) => Promise<Page>,
  isWanted: boolean,
): Pages<Page> => {
  type Options = InfiniteQueryObserverOptions<Page, Error, { readonly pages: Page[] }, readonly unknown[], string | undefined>;
  const options: Options = {
    queryKey: [session.value, ...name],
    queryFn: ({ pageParam, signal }) => ask(api.value, pageParam, { signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    enabled: isWanted,
    // What is past is read once: the pages of one walk are one snapshot.
    staleTime: Number.POSITIVE_INFINITY,
  };
  const [observer] = useState(() => new InfiniteQueryObserver(answers, options));
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => observer.setOptions(options));
  useEffect(() => observer.subscribe(() => redraw(undefined)), [observer]);
  const { data, error, isFetching, hasNextPage } = observer.getOptimisticResult(answers.defaultQueryOptions(options) as never); // its own type lacks the defaults' marks
  return {
    pages: data?.pages ?? NO_PAGES,
    error,
    isAsking: isFetching,
    isWhole: data !== undefined && !hasNextPage,
    more: () => {
      if (!isFetching && (hasNextPage || error !== null)) void observer.fetchNextPage();
    },
  };
};
