/** Price levels of prediction markets as published: text, in any order, possibly crossed or empty. */
import type { DecimalText } from "@assay/contract";
import { z } from "zod";

/** Dollars per contract that pays one: 0 to 1. */
export const contractPrice: z.ZodType<DecimalText> = z
  .string("must be text")
  .regex(/^(0(\.[0-9]{1,8})?|1(\.0{1,8})?)$/, "must be a price from 0 to 1");

/** Contracts; may be zero. */
export const contractCount: z.ZodType<DecimalText> = z
  .string("must be text")
  .regex(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,8})?$/, "must be a number of contracts");
