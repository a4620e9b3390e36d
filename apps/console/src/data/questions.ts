/** What several pages ask: the usage of the key, its alerts, the status of the service, and the front page without a key. */
import type { AssayPages, OutputOf } from "@assay/contract";
import type { Wire } from "@assay/sdk/trpc";
import { noteKeylessTier } from "./access.ts";
import { type Answer, useAnswer, useQuestion } from "./answers.ts";
import { acceptKey, key } from "./key.ts";
import { at, reach } from "./service.ts";
import { note } from "./status-history.ts";

/** The usage of the key's organisation; not asked for without a key. It counts against no quota. */
export const useUsage = (): Answer<Wire.Usage> =>
  useAnswer(
    ["usage"],
    async (api, options) => {
      const asked = key.peek();
      const usage = await api.account.usage.query(undefined, options);
      if (key.peek() === asked) acceptKey();
      return usage;
    },
    { everySeconds: 60, isWanted: key.value !== null },
  );

/** Names the answer about alerts, to have it read again. */
export const ALERTS = "alerts";

/** The alerts of the key's organisation: their states change as they fire. It counts against no quota. */
export const useAlerts = (isWanted = true): Answer<Wire.AlertList> =>
  useAnswer([ALERTS], (api, options) => api.alerts.list.query(undefined, options), { everySeconds: 30, isWanted });

/** The price of one symbol, as the key's tier sees it; read once, as each reading is one of the key's calls. */
export const usePrice = (symbol: string): Answer<Wire.SpotRow> =>
  useAnswer(["price", symbol], (api, options) => api.spot.get.query({ symbol }, options));

/** How often it is read. */
const STATUS_EVERY_SECONDS = 10;

/** Follows the status while a component is shown. */
export const useStatus = (isWanted = true): Answer<Wire.Status> =>
  useAnswer(
    ["status"],
    async (api, options) => {
      const status = await api.system.status.query(undefined, options);
      note(status);
      return status;
    },
    { everySeconds: STATUS_EVERY_SECONDS, isWanted },
  );

/** What anyone may see of the market. */
export type FrontDocument = OutputOf<AssayPages["console"]["frontDocument"]>;

/** The document says how long it may be cached; a new one is made as often. */
const EVERY_SECONDS = 10;

const read = async (signal: AbortSignal): Promise<FrontDocument> => {
  const response = await reach(at("console/market.json"), { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`The service answered ${response.status}`);
  const document = (await response.json()) as FrontDocument; // the contract's own shape
  noteKeylessTier(document.tier);
  return document;
};

/**
 * The document, while a component is shown.
 * @param isFollowed whether it is read again and again; what it says of the service itself does not change
 */
export const useFrontDocument = (isFollowed: boolean): Answer<FrontDocument> =>
  useQuestion(["front-document"], read, { everySeconds: isFollowed ? EVERY_SECONDS : null });

/** Where the service's prices come from; null until it is known. */
export const useMode = (): FrontDocument["mode"] | null => useFrontDocument(false).data?.mode ?? null;
