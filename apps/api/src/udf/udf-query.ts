/** Parameters of the data feed's requests, as strict as those of the API. */
import type { FailInput } from "@assay/services";
import { z } from "zod";
import { RESOLUTION_NAMES } from "./udf-symbols.ts";

const whole = (message: string) =>
  z
    .string()
    .regex(/^[0-9]{1,10}$/, message)
    .transform(Number);

const symbol = z.string().min(1).max(64);

/** GET /udf/history */
export const historyQuery = z.object({
  symbol,
  // Charts write a day either way.
  resolution: z
    .string()
    .transform((text) => (text === "D" ? "1D" : text))
    .pipe(z.enum(RESOLUTION_NAMES, `must be one of ${RESOLUTION_NAMES.join(", ")}`)),
  from: whole("must be Unix seconds").default(0),
  to: whole("must be Unix seconds"),
  countback: whole("must be a whole number in digits").optional(),
});

/** GET /udf/symbols */
export const symbolsQuery = z.object({ symbol });

/** GET /udf/search */
export const searchQuery = z.object({
  query: z.string().max(64).default(""),
  type: z.string().max(16).default(""),
  exchange: z.string().max(16).default(""),
  limit: whole("must be a whole number in digits").default(30),
});

/**
 * Reads a query string.
 * @param fail receives validation_error with every invalid parameter
 */
export const readUdfQuery = <S extends z.ZodObject>(schema: S, search: URLSearchParams, fail: FailInput): z.output<S> => {
  const repeated = Object.keys(schema.shape).filter((name) => search.getAll(name).length > 1);
  const parsed = schema.safeParse(Object.fromEntries(search));
  if (parsed.success && repeated.length === 0) return parsed.data;
  const issues = repeated.map((name) => ({ path: ["query", name], code: "repeated", message: "must be given once" }));
  for (const { path, code, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    if (!repeated.includes(name)) {
      issues.push({ path: ["query", name], code, message: search.has(name) ? message : "is required" });
    }
  }
  return fail("validation_error", { issues });
};
