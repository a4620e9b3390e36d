/** Whose key is in use: its tier and usage, asked for once for all pages. */
import type { Wire } from "@assay/sdk/trpc";
import { type Answer, useAnswer } from "./answers.ts";
import { key } from "./key.ts";

/** The usage of the key's organisation; not asked for without a key. It counts against no quota. */
export const useUsage = (): Answer<Wire.Usage> =>
  useAnswer(["usage"], (api, options) => api.account.usage.query(undefined, options), {
    everySeconds: 60,
    isWanted: key.value !== null,
  });
