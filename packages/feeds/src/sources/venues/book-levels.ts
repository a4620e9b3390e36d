/** Price levels of prediction markets as they are published: text, in whatever order, crossed or empty. */
import type { DecimalText } from "@assay/contract";
import { z } from "zod";

/** Dollars for a contract that pays one: 0 to 1. */
export const contractPrice: z.ZodType<DecimalText> = z
  .string("must be text")
  .regex(/^(0(\.[0-9]{1,8})?|1(\.0{1,8})?)$/, "must be a price from 0 to 1");

/** Contracts, zero among them. */
export const contractCount: z.ZodType<DecimalText> = z
  .string("must be text")
  .regex(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,8})?$/, "must be a number of contracts");
