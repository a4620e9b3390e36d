/** The front page without a key: one document for everybody, which counts against no limit. */

import { type Answer, useQuestion } from "./answers.ts";
import { at } from "./base.ts";
import type { FrontDocument } from "./document-shape.ts";
import { reach } from "./reach.ts";

/** The document says how long it may be kept; it is made anew as often. */
const EVERY_SECONDS = 10;

const read = async (signal: AbortSignal): Promise<FrontDocument> => {
  const response = await reach(at("console/market.json"), { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`The service answered ${response.status}`);
  return (await response.json()) as FrontDocument; // the contract's own shape
};

/** Follows the document while a component is shown. */
export const useFrontDocument = (isWanted: boolean): Answer<FrontDocument> =>
  useQuestion(["front document"], read, { everySeconds: EVERY_SECONDS, isWanted });
