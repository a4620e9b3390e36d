/** What operators keep in files: a catalogue of their own, and the tiers. */

import { readFileSync } from "node:fs";
import { catalogueFault, jsonFaultPlace, jsonPlace } from "@assay/catalogue";
import { overlayCatalog, TIER_NAMES, type TierCatalog, type TierName, tierOverrides } from "@assay/contract";
import type { z } from "zod";
import { oneOf } from "./kinds.ts";
import { type Environment, readVariable, SettingError, textOf } from "./variables.ts";

/**
 * Refuses a faulty catalogue, which was read when the code was loaded, with the other settings.
 * @throws SettingError naming what is wrong in the file
 */
export const checkCatalogue = (env: Environment): void => {
  const value = textOf(env, "CATALOG");
  if (catalogueFault === null || value === undefined) return;
  throw new SettingError({
    variable: "CATALOG",
    value,
    mayHold: "wide, or the path of a JSON file of metals, funds, currencies and units",
    because: catalogueFault,
  });
};

const TIERS = "TIERS_FILE";
const TIERS_HOLD = 'a JSON file such as {"free":{"monthly_quota":20},"keyless":{"per_minute":10,"per_hour":100}}';

const firstFault = ({ issues }: z.ZodError, text: string): string => {
  const [issue] = issues;
  if (!issue) return "the file is not understood";
  return `${jsonPlace(text, issue.path)}: ${issue.path.join(".") || "the file"}: ${issue.message}`;
};

const readOverrides = (env: Environment): z.output<typeof tierOverrides> => {
  const file = textOf(env, TIERS);
  if (file === undefined) return {};
  const refuse = (because: string) => new SettingError({ variable: TIERS, value: file, mayHold: TIERS_HOLD, because });
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : "it cannot be read");
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The error's message quotes the file, which may be any file of the machine.
    throw refuse(`it is not JSON: ${jsonFaultPlace(text)}`);
  }
  const read = tierOverrides.safeParse(content);
  if (!read.success) throw refuse(firstFault(read.error, text));
  return read.data;
};

/**
 * Reads the tiers: the file merged over the shipped catalog, and the tier of callers without a key.
 * @throws SettingError naming what is wrong in the file, or the tiers that callers without a key may have
 */
export const readCatalog = (env: Environment): TierCatalog =>
  overlayCatalog(readOverrides(env), readVariable<TierName, TierName>(env, "KEYLESS_TIER", oneOf(TIER_NAMES), "free"));
