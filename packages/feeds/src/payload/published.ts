/** Schemas of published figures and instants, with the published digits preserved. */
import type { DecimalText } from "@assay/contract";
import { dec } from "@assay/pricing";
import { isLosslessNumber, type LosslessNumber } from "lossless-json";
import { z } from "zod";

/** Twelve digits before the point are a hundred times any existing price or rate; more is a publisher's fault. */
const PLAIN = /^(0|[1-9][0-9]{0,11})(\.[0-9]{1,20})?$/;
const ONLY_ZEROS = /^[0.]+$/;

/** Whether a text is a positive figure in plain notation, of a plausible length for a price or rate. */
export const isPublishedFigure = (text: string): boolean => PLAIN.test(text) && !ONLY_ZEROS.test(text);

const figure = z.string().refine(isPublishedFigure, "must be a positive figure in plain notation");

export const figureText: z.ZodType<DecimalText> = z.string("must be text").pipe(figure);

/** Commas between thousands are removed where they are placed correctly. */
const ungrouped = (text: string): string => (/^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$/.test(text) ? text.replaceAll(",", "") : text);

/** Placeholders for a missing price: nothing, a dash, or zero. */
const NOT_GIVEN = /^(-*|0(\.0+)?)$/;

/** One side of a price as text, with or without thousands separators; null where there is none. */
export const sideText: z.ZodType<DecimalText | null> = z
  .string("must be text")
  .transform((text) => (NOT_GIVEN.test(text.trim()) ? null : ungrouped(text.trim())))
  .pipe(figure.nullable());

const jsonNumber = z.custom<LosslessNumber>(isLosslessNumber, "must be a number").transform((number) => number.value);

/** A figure published as a JSON number, with its digits preserved: `4392.0` stays `4392.0`. */
export const figureNumber: z.ZodType<DecimalText> = jsonNumber.pipe(figure);

/** One side of a price as a JSON number; null where there is none, published as null or zero. */
export const sideNumber: z.ZodType<DecimalText | null> = jsonNumber
  .nullable()
  .transform((text) => (text === null || NOT_GIVEN.test(text) ? null : text))
  .pipe(figure.nullable());

const amount = z.string().regex(PLAIN, "must be an amount in plain notation");

/** An amount published as text, may be zero; null where it is empty. */
export const amountText: z.ZodType<DecimalText | null> = z
  .string("must be text")
  .transform((text) => (text === "" ? null : text))
  .pipe(amount.nullable());

/** An amount published as a JSON number, may be zero. */
export const amountNumber: z.ZodType<DecimalText> = jsonNumber.pipe(amount);

const EARLIEST_MS = Date.UTC(1970, 0, 2);
const LATEST_MS = Date.UTC(2100, 0, 1);
const instantMs = z.int("must be an instant in milliseconds").min(EARLIEST_MS, "is before 1970").max(LATEST_MS, "is after 2100");
const wholeNumber = z
  .string()
  .regex(/^[0-9]{1,15}$/, "must be a whole number")
  .transform(Number);

/** Epoch milliseconds as a JSON number. */
export const epochMsNumber = jsonNumber.pipe(wholeNumber).pipe(instantMs);

/** Epoch seconds as a JSON number, converted to milliseconds. */
export const epochSecondsNumber = jsonNumber
  .pipe(wholeNumber)
  .transform((seconds) => seconds * 1000)
  .pipe(instantMs);

export const countNumber = jsonNumber.pipe(wholeNumber);

/** Epoch milliseconds as text. */
export const epochMsText = z.string("must be text").pipe(wholeNumber).pipe(instantMs);

/** ISO-8601 UTC with a Z; fractions of a second are truncated to milliseconds. */
export const isoInstant = z.iso
  .datetime("must be an ISO-8601 instant in UTC")
  .transform((text) => Date.parse(text.replace(/\.([0-9]{1,3})[0-9]*Z$/, ".$1Z")))
  .pipe(instantMs);

/** ISO-8601 with a UTC offset or a Z. */
export const isoOffsetInstant = z.iso
  .datetime({ offset: true, error: "must be an ISO-8601 instant" })
  .transform((text) => Date.parse(text))
  .pipe(instantMs);

/** The exact midpoint of bid and ask, for sources that publish no equally recent price. */
export const middle = (bid: DecimalText, ask: DecimalText): DecimalText => dec(bid).plus(ask).div(2).toFixed();
