/** The service's tRPC router, typed by the contract, with the reader's key. */
import { type AppRouter, assayLink } from "@assay/sdk/trpc";
import { computed } from "@preact/signals";
import { createTRPCClient, type TRPCClient } from "@trpc/client";
import { BASE } from "./base.ts";
import { key } from "./key.ts";
import { reach } from "./reach.ts";

/** The client of the router. */
export type Api = TRPCClient<AppRouter>;

/** The client for the key in use. */
export const api = computed<Api>(() =>
  createTRPCClient<AppRouter>({ links: [assayLink({ baseUrl: BASE, apiKey: key.value ?? undefined, fetch: reach })] }),
);
