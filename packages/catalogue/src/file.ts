/** An operator's catalogue: its form, its merge over the built-in one, and what may be wrong with it. */
import { z } from "zod";
import { BUILT_IN } from "./built-in.ts";
import {
  type CatalogueRows,
  type CurrencyRow,
  currencyRow,
  type FundRow,
  fundRow,
  type MetalRow,
  metalRow,
  type UnitRow,
  unitRow,
} from "./rows.ts";

/** A row of the file: its code, and any of the other fields. */
type Added<Row extends { readonly code: string }> = Partial<Row> & { readonly code: string };

/** The file: rows that are added, or laid over the built-in row of the same code. */
export interface CatalogueFile {
  readonly metals?: readonly Added<MetalRow>[] | undefined;
  readonly funds?: readonly Added<FundRow>[] | undefined;
  readonly currencies?: readonly Added<CurrencyRow>[] | undefined;
  readonly units?: readonly Added<UnitRow>[] | undefined;
}

/** Each row is parsed again, whole, once it is merged. */
const catalogueFile = z.strictObject({
  metals: z
    .array(metalRow.partial().extend({ code: metalRow.shape.code }))
    .max(200)
    .optional(),
  funds: z
    .array(fundRow.partial().extend({ code: fundRow.shape.code }))
    .max(200)
    .optional(),
  currencies: z
    .array(currencyRow.partial().extend({ code: currencyRow.shape.code }))
    .max(300)
    .optional(),
  units: z
    .array(unitRow.partial().extend({ code: unitRow.shape.code }))
    .max(100)
    .optional(),
});

const NEW_METAL: Partial<MetalRow> = {
  unit: "troy_ounce",
  coverage: "spot",
  default_contract: "spot",
  quoted_in: "USD",
  tier: "pro",
  convertible: false,
  karats: false,
  streams: ["sse", "websocket"],
  surface: null,
  agreement_bps: 800,
  max_spread_percent: 4,
  futures: null,
};
const NEW_CURRENCY: Partial<CurrencyRow> = { quoted: true, peg: null, reference: null };
const NEW_UNIT: Partial<UnitRow> = { accepted: ["convert"] };

/** A fault of a file, with the path of what is wrong. */
export class CatalogueFault extends Error {
  override readonly name = "CatalogueFault";
}

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");

/** Whether the value has nothing at a path of field names. */
const lacks = (value: unknown, path: readonly PropertyKey[]): boolean =>
  path.reduce<unknown>((at, step) => (typeof at === "object" && at !== null ? Reflect.get(at, step) : undefined), value) ===
  undefined;

/** @throws CatalogueFault for the first thing that is wrong */
const parse = <Output>(schema: z.ZodType<Output>, value: unknown, at: readonly PropertyKey[] = []): Output => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const isMissing =
    issue?.message.endsWith("received undefined") || (issue?.code === "invalid_union" && lacks(value, issue.path));
  const message = isMissing ? "is required" : (issue?.message ?? "is not valid");
  const path = pathText([...at, ...(issue?.path ?? [])]);
  throw new CatalogueFault(`${path === "" ? "the file" : path}: ${message}`);
};

/** Lays the rows of one table over another's; each merged row is whole. */
const laid = <Row extends { readonly code: string }>(
  table: string,
  schema: z.ZodType<Row>,
  rows: readonly Row[],
  added: readonly { readonly code: string }[],
  whenNew: Partial<Row>,
): Row[] => {
  const merged = new Map(rows.map((each) => [each.code, each]));
  const seen = new Set<string>();
  for (const [place, each] of added.entries()) {
    if (seen.has(each.code)) throw new CatalogueFault(`${table}[${place}].code: ${each.code} is in the file twice`);
    seen.add(each.code);
    merged.set(each.code, parse(schema, { ...(merged.get(each.code) ?? whenNew), ...each }, [table, place]));
  }
  return [...merged.values()];
};

/** Every two metals, by name. */
const ratiosOf = (metals: readonly MetalRow[]): [string, string, string][] =>
  metals.flatMap((above) =>
    metals
      .filter((below) => below.code !== above.code)
      .map((below): [string, string, string] => [`${above.name}-${below.name}`, above.code, below.code]),
  );

/** @throws CatalogueFault for names that are taken twice */
const checkNames = ({ metals, funds, currencies }: CatalogueRows): void => {
  const taken = new Map<string, string>(currencies.map(({ code }) => [code, `the currency ${code}`]));
  const take = (name: string, owner: string, path: string): void => {
    const upper = name.toUpperCase();
    const other = taken.get(upper);
    if (other !== undefined && other !== owner) throw new CatalogueFault(`${path}: ${name} is taken by ${other}`);
    taken.set(upper, owner);
  };
  for (const { code, name, aliases = [], futures } of metals) {
    const owner = `the metal ${code}`;
    take(code, owner, `metals.${code}.code`);
    take(name, owner, `metals.${code}.name`);
    for (const alias of aliases) take(alias, owner, `metals.${code}.aliases`);
    if (futures) take(futures.product, owner, `metals.${code}.futures.product`);
  }
  for (const { code } of funds) take(code, `the fund ${code}`, `funds.${code}.code`);
};

/** @throws CatalogueFault for a row that refers to another which is not there */
const checkReferences = ({ metals, funds, currencies, units }: CatalogueRows): void => {
  const has = (rows: readonly { readonly code: string }[], code: string): boolean => rows.some((each) => each.code === code);
  const need = (found: boolean, path: string, what: string): void => {
    if (!found) throw new CatalogueFault(`${path}: ${what}`);
  };
  const priced = units.filter(({ accepted }) => accepted.includes("price"));
  for (const { code, unit, simulated, finenesses, karats } of metals) {
    const allowed = priced.map((each) => each.code).join(", ");
    need(has(priced, unit), `metals.${code}.unit`, `${unit} is not a unit of prices; use one of ${allowed}`);
    const leader = simulated?.follows?.metal;
    need(
      leader === undefined || (leader !== code && has(metals, leader)),
      `metals.${code}.simulated.follows`,
      `no metal ${leader}`,
    );
    need(!karats || code === "XAU", `metals.${code}.karats`, "karat prices are those of gold; use finenesses");
    need(
      finenesses?.every((each, place) => each < (finenesses[place - 1] ?? 1_001)) ?? true,
      `metals.${code}.finenesses`,
      "must fall",
    );
  }
  for (const { code, metal } of funds) need(has(metals, metal), `funds.${code}.metal`, `no metal ${metal}`);
  for (const { code, peg, simulated } of currencies) {
    need(peg === null || has(currencies, peg.to), `currencies.${code}.peg.to`, `no currency ${peg?.to}`);
    const leader = simulated?.follows;
    need(leader === undefined || has(currencies, leader), `currencies.${code}.simulated.follows`, `no currency ${leader}`);
    for (let at = peg, steps = 0; at !== null; at = currencies.find((each) => each.code === at?.to)?.peg ?? null, steps++)
      need(steps < currencies.length, `currencies.${code}.peg`, "the pegs form a circle");
  }
  const isQuoted = (code: string): boolean => currencies.some((each) => each.code === code && each.quoted);
  need(isQuoted("USD"), "currencies.USD.quoted", "must be true: every price is made in USD");
  for (const { code, coverage } of metals)
    need(
      code !== "XAU" || coverage === "spot",
      "metals.XAU.coverage",
      "must be spot: gold is what karat and dealers' prices are made from",
    );
};

/** How far the approximate rate may be from what a peg says: an inverted rate is further. */
const ROUGHLY = 1.25;

/** @throws CatalogueFault for a peg that contradicts the approximate rate of the same row: one of the two is a wrong unit */
const checkPegs = ({ currencies }: CatalogueRows): void => {
  for (const { code, peg, approximate_per_usd: approximate } of currencies) {
    const anchor = currencies.find((each) => each.code === peg?.to);
    if (peg === null || anchor === undefined) continue;
    const pegged = Number(peg.units) * anchor.approximate_per_usd;
    if (pegged <= approximate * ROUGHLY && approximate <= pegged * ROUGHLY) continue;
    throw new CatalogueFault(
      `currencies.${code}.peg.units: ${peg.units} makes ${pegged} per USD, but approximate_per_usd is ${approximate}; ` +
        `units is how many ${code} are one ${peg.to}`,
    );
  }
};

/** @throws CatalogueFault for a row that gives a figure of the interface another unit: feeds and stored bars would keep the old one */
const checkUnits = ({ metals, units }: CatalogueRows): void => {
  for (const { code, grams } of BUILT_IN.units) {
    const given = units.find((each) => each.code === code)?.grams;
    if (given !== grams) throw new CatalogueFault(`units.${code}.grams: must be ${grams}; add another unit for another weight`);
  }
  for (const { code, unit } of BUILT_IN.metals) {
    const given = metals.find((each) => each.code === code)?.unit;
    if (given !== unit) throw new CatalogueFault(`metals.${code}.unit: must be ${unit}, which its sources and its bars are in`);
  }
};

/**
 * Merges an operator's catalogue over the built-in one.
 * @param file the parsed JSON
 * @returns the rows of both; a row of the file replaces the fields it names
 * @throws CatalogueFault with the path of what is wrong and what is allowed
 */
export const mergeCatalogue = (file: unknown): CatalogueRows => {
  const added = parse(catalogueFile, file);
  const metals = laid("metals", metalRow, BUILT_IN.metals, added.metals ?? [], NEW_METAL);
  const hasMetals = (added.metals ?? []).length > 0;
  const named = new Set(BUILT_IN.ratios.map(([pair]) => pair));
  const rows: CatalogueRows = {
    metals,
    funds: laid("funds", fundRow, BUILT_IN.funds, added.funds ?? [], { agreement_bps: 800, max_spread_percent: 4 }),
    currencies: laid("currencies", currencyRow, BUILT_IN.currencies, added.currencies ?? [], NEW_CURRENCY),
    units: laid("units", unitRow, BUILT_IN.units, added.units ?? [], NEW_UNIT),
    ratios: [...BUILT_IN.ratios, ...(hasMetals ? ratiosOf(metals) : []).filter(([pair]) => !named.has(pair))],
  };
  checkNames(rows);
  checkReferences(rows);
  checkPegs(rows);
  checkUnits(rows);
  return rows;
};
