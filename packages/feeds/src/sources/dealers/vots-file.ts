/** An operator's own list of dealers on the VOTS platform: a JSON file, validated as a whole before any dealer is polled. */
import { readFileSync } from "node:fs";
import { DEALER_FORMS, DEALER_WEIGHT_UNITS } from "@assay/contract";
import { z } from "zod";
import { isPublishedFigure } from "../../payload/published.ts";
import type { VotsDealer } from "./vots.ts";
import { VOTS_DEALERS } from "./vots-dealers.ts";

const MAX_DEALERS = 50;
const MAX_ROWS = 50;

const phrase = z.string().trim().min(1, "is empty").max(120, "is longer than 120");
const word = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case words joined by -");
const figure = z.string().refine(isPublishedFigure, "must be a positive figure, as text");
const webUrl = z.url({ protocol: /^https?$/, error: "must be a URL of http or https" });
const origin = webUrl
  .refine((text) => /^https?:\/\/[^/?#@]+\/?$/.test(text), "must be scheme, host and port alone")
  .transform((text) => text.replace(/\/$/, ""));

const row = z
  .strictObject({
    row: z.string().regex(/^[0-9]{1,9}$/, "must be the row's number, as text"),
    name: phrase,
    id: word,
    product: phrase,
    form: z.enum(DEALER_FORMS),
    karat: z.number().positive().max(24),
    fineness: figure.nullable(),
    weight: figure,
    weight_unit: z.enum(DEALER_WEIGHT_UNITS),
    tax_included: z.boolean(),
  })
  .transform(({ weight_unit: weightUnit, tax_included: taxIncluded, ...rest }) => ({ ...rest, weightUnit, taxIncluded }));

const dealer = z
  .strictObject({
    key: word.refine((key) => key.startsWith("vots-"), "must begin with vots-"),
    dealer: phrase,
    page: webUrl,
    url: origin,
    template: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be letters, digits, - and _"),
    rows: z.array(row).min(1).max(MAX_ROWS),
  })
  .refine(({ rows }) => new Set(rows.map(({ id }) => id)).size === rows.length, "has a row's id twice")
  .transform(({ page: url, url: baseUrl, ...rest }): VotsDealer => ({ ...rest, url: url.replace(/\/+$/, ""), baseUrl }));

const BUILT_IN = new Set(VOTS_DEALERS.map(({ key }) => key));
const file = z
  .array(dealer)
  .min(1)
  .max(MAX_DEALERS)
  .refine((dealers) => new Set(dealers.map(({ key }) => key)).size === dealers.length, "has a key twice")
  .refine((dealers) => dealers.every(({ key }) => !BUILT_IN.has(key)), "has the key of a dealer that is built in");

/** The dealers, or the error in the file. */
export type VotsFile =
  | { readonly ok: true; readonly dealers: readonly VotsDealer[] }
  | { readonly ok: false; readonly fault: string };

/**
 * Reads the file.
 * @param path the file
 * @returns the first error, with its location, when there is one
 */
export const readVotsFile = (path: string): VotsFile => {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (thrown) {
    return { ok: false, fault: thrown instanceof SyntaxError ? "it is not JSON" : "it cannot be read" };
  }
  const read = file.safeParse(value);
  if (read.success) return { ok: true, dealers: read.data };
  const issue = read.error.issues[0];
  return { ok: false, fault: `${issue?.path.join(".") || "the list"} ${issue?.message ?? "is invalid"}` };
};
