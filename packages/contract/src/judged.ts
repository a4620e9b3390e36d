/** Lists whose members are judged one by one: what is wrong with one takes its place, and the others are answered. */
import type { z } from "zod";
import { parseGiven } from "./given.ts";
import type { Meant } from "./meant.ts";

/** How much of an unknown name a refusal repeats. */
const MAX_NAME = 64;

/** What is wrong with a member of a list, in its place. */
export class Fault {
  /** Where, from the member on: field names, and places in lists. */
  readonly path: readonly (string | number)[];
  /** What is expected. */
  readonly message: string;
  readonly given: unknown;

  /** @param issues only the first is reported: once it is fixed, the next request names the next */
  constructor([issue]: readonly z.core.$ZodIssue[], given: unknown) {
    const path = (issue?.path ?? []).map((part) => (typeof part === "symbol" ? String(part) : part));
    const [unknown] = issue?.code === "unrecognized_keys" ? issue.keys : [];
    this.path = unknown === undefined ? path : [...path, unknown.slice(0, MAX_NAME)];
    this.message = issue?.message ?? "is not valid";
    this.given = given;
  }
}

/**
 * The schema of a member that is judged on its own: it accepts anything, and a fault is the value of what it could not read.
 * @param member the schema of a valid one, which is what documents and clients see
 * @param meant what is read of a field that the schema refuses
 */
export const judged = <T extends z.ZodType>(member: T, meant?: Meant): z.ZodType<z.output<T> | Fault, z.input<T>> =>
  member.catch(({ value }) => {
    const { data, error } = parseGiven(member, value, meant);
    // A caught value has the type of a valid one, which a fault has not.
    return (error ? new Fault(error.issues, value) : data) as z.output<T>;
  });
