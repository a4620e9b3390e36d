/** What an answer can look like besides JSON: every format by the name that `format=` takes. */

export interface FormatEntry {
  readonly contentType: string;
  /** The media type that names it in an Accept header; a format without one is chosen by `format` alone. */
  readonly accept?: string;
  readonly summary: string;
  /** Values that parameters must have with it, on routes with such parameters. */
  readonly needs?: Readonly<Record<string, string>>;
}

const DAILY = { interval: "1d" } as const;

/** The table. A route declares which of them it has, each with the part of the answer it shows. */
export const FORMATS = {
  csv: {
    contentType: "text/csv; charset=utf-8",
    accept: "text/csv",
    summary: "The rows as RFC 4180, a header row of the field names first",
  },
  text: {
    contentType: "text/plain; charset=utf-8",
    accept: "text/plain",
    summary: "The bare figure and a newline; an error when there is none",
  },
  beancount: {
    contentType: "text/plain; charset=utf-8",
    summary: "Price directives of beancount, one per settled day",
    needs: DAILY,
  },
  ledger: {
    contentType: "text/plain; charset=utf-8",
    summary: "Price directives of ledger and hledger, one per settled day",
    needs: DAILY,
  },
  jws: {
    contentType: "application/jose",
    accept: "application/jose",
    summary: "A signed receipt: the JSON answer as a compact JWS, verified with the keys at /.well-known/jwks.json",
  },
} as const satisfies Record<string, FormatEntry>;

/** A format besides JSON. */
export type Format = keyof typeof FORMATS;

/** A format that the answer alone says all of; a receipt needs a key too. */
export type TextFormat = Exclude<Format, "jws">;

/** The table with every optional field. */
const ENTRIES: Readonly<Record<Format, FormatEntry>> = FORMATS;

export const formatEntry = (format: Format): FormatEntry => ENTRIES[format];

/**
 * The formats of a route, each with the part of the answer it shows: field names joined by dots, or nothing for all of it. Rows
 * for `csv`, prices of days for `beancount` and `ledger`, one figure for `text`.
 */
export type Formats = Readonly<Partial<Record<Format, string>>>;

const isFormat = (name: string): name is Format => Object.hasOwn(FORMATS, name);

/** The formats a route has besides JSON, in the order it declares them. */
export const formatsOf = ({ formats = {} }: { readonly formats?: Formats }): Format[] => Object.keys(formats).filter(isFormat);

/**
 * Finds the part of an answer that a format shows.
 * @param answer the answer as JSON
 * @param path field names joined by dots; empty for the whole answer
 * @returns null when a field on the way is null or missing
 */
export const partOf = (answer: unknown, path: string): unknown => {
  let part = answer;
  for (const name of path === "" ? [] : path.split(".")) {
    if (typeof part !== "object" || part === null) return null;
    part = (part as Readonly<Record<string, unknown>>)[name]; // an object, checked above
  }
  return part ?? null;
};
