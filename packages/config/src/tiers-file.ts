/** The operator's tier file, merged over the shipped catalog. */
import { readFileSync } from "node:fs";
import { DEFAULT_CATALOG, overlayCatalog, type TierCatalog, tierOverrides } from "@assay/contract";
import type { z } from "zod";
import { SettingError } from "./setting-error.ts";
import { type Environment, textOf } from "./variables.ts";

const VARIABLE = "TIERS_FILE";
const MAY_HOLD = 'a JSON file such as {"free":{"monthly_quota":20},"keyless":{"per_minute":10,"per_hour":100}}';

const firstFault = ({ issues }: z.ZodError): string => {
  const [issue] = issues;
  return issue ? `${issue.path.join(".") || "the file"}: ${issue.message}` : "the file is not understood";
};

/**
 * Reads the catalog.
 * @returns the shipped catalog when no file is set
 * @throws SettingError naming what is wrong in the file
 */
export const readCatalog = (env: Environment): TierCatalog => {
  const file = textOf(env, VARIABLE);
  if (file === undefined) return DEFAULT_CATALOG;
  const refuse = (because: string) => new SettingError({ variable: VARIABLE, value: file, mayHold: MAY_HOLD, because });
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : "it cannot be read");
  }
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw refuse(`not JSON: ${error instanceof Error ? error.message : ""}`);
  }
  const read = tierOverrides.safeParse(content);
  if (!read.success) throw refuse(firstFault(read.error));
  return overlayCatalog(read.data);
};
