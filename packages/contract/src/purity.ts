/** Fineness as callers give it: one form on every route, and never a percentage or a karat taken for parts of 1000. */
import { z } from "zod";

const FORM = "a purity in parts of 1000 with at most three decimals, such as 750 or 999.9";
const TEXT = /^(?:1000(?:\.0{1,3})?|[1-9][0-9]{0,2}(?:\.[0-9]{1,3})?)$/;
/** No hallmark is as low; what is lower was meant as a percentage, or as a karat. */
const ABOVE = 100;

/** The same digits with the point one place to the right. */
const timesTen = (text: string): string => {
  const [whole = "", decimals = ""] = text.split(".");
  const [next = "0", ...rest] = decimals;
  const more = rest.join("").replace(/0+$/, "");
  return `${whole}${next}${more && `.${more}`}`;
};

/** What a fineness of 100 or less was probably meant as. */
const meantAs = (text: string): string => {
  const ways = [
    Number.isInteger(Number(text)) && Number(text) <= 24 ? `${Number(text)} karat is karat: ${Number(text)}` : "",
    Number(timesTen(text)) > ABOVE ? `${text} % is ${timesTen(text)}` : "",
  ].filter((way) => way !== "");
  return ["must be parts of 1000, above 100", ways.join(", ")].filter((part) => part !== "").join(": ");
};

const fault = (given: unknown): string => {
  const text = String(given);
  if (/^[1-9][0-9]*(?:\.[0-9]+)?$/.test(text) && Number(text) <= ABOVE) return meantAs(text);
  return `must be ${FORM}${text.startsWith("0.") ? ': three quarters are "750", not "0.750"' : ""}`;
};

const isFineness = (given: number | string): boolean => Number(given) > ABOVE && TEXT.test(String(given));

const ERROR = ({ input }: { readonly input?: unknown }): string => (input === undefined ? "is required" : fault(input));

const DESCRIPTION = "Purity in parts of 1000, above 100, instead of `karat`";

/** A fineness in a query. Its bounds in documents are those of the first release; 100 and less are refused all the same. */
export const finenessParameter = z
  .number({ error: ERROR })
  .min(1, { error: ERROR })
  .max(1_000, { error: ERROR })
  .refine(isFineness, { error: ERROR })
  .meta({ description: DESCRIPTION, examples: [750] });

/** A fineness in a body, where it may also be text. */
export const fineness = z
  .union([finenessParameter, z.string().regex(TEXT, { error: ERROR }).refine(isFineness, { error: ERROR })], { error: ERROR })
  .meta({ description: DESCRIPTION, examples: [750] });
