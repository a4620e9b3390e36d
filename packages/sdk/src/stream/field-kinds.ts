/** Checks a frame's required fields against the generated tables. */
import { isRecord } from "../core/is-record.ts";

/** A field's JSON type: `count` is a whole number from 0 up, `counts` an object of them; a nested table is an object. */
export type FieldKind = "text" | "number" | "count" | "boolean" | "list" | "counts" | FieldKinds;

/** Required fields, by wire name. */
export interface FieldKinds {
  readonly [field: string]: FieldKind;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const CHECKS: Readonly<Record<Exclude<FieldKind, FieldKinds>, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  count: isCount,
  boolean: (value) => typeof value === "boolean",
  list: Array.isArray,
  counts: (value) => isRecord(value) && Object.values(value).every(isCount),
};

/**
 * Finds a field that is missing or of another type.
 * @param value an object of the wire
 * @param kinds the required fields
 * @returns the first such field; null when all are valid
 */
export const missingField = (value: Readonly<Record<string, unknown>>, kinds: FieldKinds): string | null => {
  for (const [field, kind] of Object.entries(kinds)) {
    const part = value[field];
    const holds = typeof kind === "string" ? CHECKS[kind](part) : isRecord(part) && missingField(part, kind) === null;
    if (!holds) return field;
  }
  return null;
};
