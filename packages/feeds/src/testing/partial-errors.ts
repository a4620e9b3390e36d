/** What tests do with the errors of a reading's parts. */
import { expect } from "vitest";
import type { FeedError } from "../feed/error.ts";

/** Fails the test at the first one. */
export const unheard = (error: FeedError): never => expect.fail(error.message);

/** Collects them. */
export const listening = () => {
  const heard: FeedError[] = [];
  return { heard, partial: (error: FeedError) => void heard.push(error) };
};
