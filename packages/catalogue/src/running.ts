/**
 * The catalogue of this process: the built-in one, with the operator's laid over it. It is chosen when the code is loaded, because
 * schemas, documents and tables are made from it then; a browser has the built-in one.
 */
import { BUILT_IN } from "./built-in.ts";
import { type Catalogue, catalogueOf } from "./catalogue.ts";
import { CatalogueFault, mergeCatalogue } from "./file.ts";
import { jsonFaultPlace, jsonPlace } from "./json-place.ts";
import type { CatalogueRows } from "./rows.ts";
import { WIDE } from "./wide.ts";

/** Catalogues that the setting may name instead of a file. */
const NAMED: ReadonlyMap<string, unknown> = new Map([["wide", WIDE]]);

/** Larger files are refused unread. */
const MAX_BYTES = 1_048_576;

const read = (path: string): { readonly text: string; readonly content: unknown } => {
  const files = globalThis.process?.getBuiltinModule("node:fs");
  let text: string;
  try {
    const stats = files.statSync(path);
    if (!stats.isFile()) throw new CatalogueFault("it is not a file");
    if (stats.size > MAX_BYTES) throw new CatalogueFault("the file is larger than 1 MiB");
    text = files.readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if (error instanceof CatalogueFault) throw error;
    throw new CatalogueFault("the file cannot be read");
  }
  try {
    return { text, content: JSON.parse(text) };
  } catch {
    throw new CatalogueFault(`the file is not JSON: ${jsonFaultPlace(text)}`);
  }
};

/** @throws CatalogueFault with the place of what is wrong */
const merged = ({ text, content }: ReturnType<typeof read>): CatalogueRows => {
  try {
    return mergeCatalogue(content);
  } catch (error) {
    if (!(error instanceof CatalogueFault)) throw error;
    const [path = ""] = /^[\w.[\]-]+(?=:)/.exec(error.message) ?? [];
    const steps = path.split(/[.[\]]+/).filter((step) => step !== "");
    throw new CatalogueFault(
      `${jsonPlace(
        text,
        steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
      )}: ${error.message}`,
    );
  }
};

const choose = (setting: string): { readonly rows: CatalogueRows; readonly fault: string | null } => {
  if (setting === "") return { rows: BUILT_IN, fault: null };
  try {
    const named = NAMED.get(setting);
    return { rows: named === undefined ? merged(read(setting)) : mergeCatalogue(named), fault: null };
  } catch (error) {
    if (!(error instanceof CatalogueFault)) throw error;
    return { rows: BUILT_IN, fault: error.message };
  }
};

const { rows, fault } = choose(globalThis.process?.env?.CATALOG?.trim() ?? "");

export const catalogue: Catalogue = catalogueOf(rows);

/** What is wrong with the operator's catalogue, for which the built-in one then stands in; null for nothing. No process serves with one. */
export const catalogueFault: string | null = fault;

export const isOperatorsCatalogue: boolean = rows !== BUILT_IN;
