/** The front page without a key: one document for everybody, which counts against no limit. */

import { type Answer, useQuestion } from "./answers.ts";
import { at } from "./base.ts";
import type { FrontDocument } from "./document-shape.ts";
import { reach } from "./reach.ts";

/** The document says how long it may be cached; a new one is made as often. */
const EVERY_SECONDS = 10;

const read = async (signal: AbortSignal): Promise<FrontDocument> => {
  const response = await reach(at("console/market.json"), { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`The service answered ${response.status}`);
  return (await response.json()) as FrontDocument; // the contract's own shape
};

/**
 * The document, while a component is shown.
 * @param isFollowed whether it is read again and again; what it says of the service itself does not change
 */
export const useFrontDocument = (isFollowed: boolean): Answer<FrontDocument> =>
  useQuestion(["front document"], read, { everySeconds: isFollowed ? EVERY_SECONDS : null });

/** Where the service's prices come from; null until it is known. */
export const useMode = (): FrontDocument["mode"] | null => useFrontDocument(false).data?.mode ?? null;
