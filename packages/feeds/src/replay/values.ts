/** The values of replay lines: exact decimals as text, instants with a Z, names and codes. */
import { z } from "zod";

const PLAIN = /^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/;

/** Well-formed decimal text. Whether the figure is plausible is up to the validation rules, which count refusals. */
export const decimalText = z.string("must be decimal text, in quotes").regex(PLAIN, "must be decimal text in plain notation");

const isPositive = (text: string): boolean => !text.startsWith("-") && !/^[0.]+$/.test(text);

/** Decimal text above zero. */
export const positiveText = decimalText.refine(isPositive, "must be above zero");

/** Decimal text, zero or above. */
export const notNegativeText = decimalText.refine((text) => !text.startsWith("-"), "must not be negative");

/** Decimal text from 0 to 1: the price of a contract that pays one dollar. */
export const probabilityText = decimalText.refine((text) => /^(0(\.[0-9]+)?|1(\.0+)?)$/.test(text), "must be from 0 to 1");

/** An instant, in epoch milliseconds. */
export const instant = z.iso
  .datetime("must be an ISO-8601 instant in UTC, such as 2026-11-21T01:00:00Z")
  .transform((text) => Date.parse(text.replace(/\.([0-9]{1,3})[0-9]*Z$/, ".$1Z")));

/** A calendar day, YYYY-MM-DD. */
export const day = z.iso.date("must be a day, YYYY-MM-DD");

/** A currency code. */
export const currencyCode = z.string("must be a currency code").regex(/^[A-Z]{3}$/, "must be a currency code");

/** A source's name, as shown in answers and in the status. */
export const sourceName = z
  .string("must be a name")
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "must be a name of letters, digits, dots and dashes");

/** A human-readable text. */
export const label = z.string("must be text").min(1, "must not be empty").max(120, "must be at most 120 characters");

/** A count. */
export const count = z.int("must be a whole number").min(0, "must not be negative");

/** One of a few words. */
export const word = <const W extends readonly string[]>(...words: W) => z.enum(words, `must be one of ${words.join(", ")}`);
