/** What callers may see of the writer's internals: an error as a class, a lease holder as an opaque id. */
import { hash } from "node:crypto";
import { errorClass } from "@assay/contract";

const CLASS = errorClass("");

/** Shown for an error without a class, as a writer of an earlier version reports it. */
const OTHER = "other";

/** An error as its class; null for none. */
export const shownError = (reported: string | null): string | null =>
  reported === null || CLASS.safeParse(reported).success ? reported : OTHER;

/** A writer's id: the first 12 hexadecimal digits of its name's SHA-256. */
export const shownHolder = (name: string): string => hash("sha256", name).slice(0, 12);
