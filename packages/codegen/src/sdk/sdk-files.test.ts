/** Generates the SDK from the whole contract and from small ones. */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Contract, contract, ERROR_CODES, ERRORS, errorCodesOf, type Route, route } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { SDK_FOLDER, sdkFiles } from "../generated-files.ts";
import { camelCase, errorClassName, kebabCase, listName, statusClassName } from "./names.ts";
import { readContract } from "./read-contract.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const files = sdkFiles(contract);
const fileOf = (name: string, made = files): string => made.get(`${SDK_FOLDER}/${name}`) ?? "";
const code = [...files].filter(([path]) => path.endsWith(".ts"));
const model = readContract(contract, "1");
const tree: Contract = contract;
const routes = Object.entries(tree).flatMap(([resource, actions]) =>
  Object.entries(actions).map(([action, one]) => [`${resource}.${action}`, one] as const),
);

describe("the SDK of the contract", () => {
  test("is the same bytes in every run", () => {
    expect([...sdkFiles(contract)]).toEqual([...files]);
  });

  test("is formatted as the repository's formatter would", async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-format-"));
    try {
      const { formatter, javascript } = JSON.parse(await readFile(join(ROOT, "biome.json"), "utf8"));
      await writeFile(join(folder, "biome.json"), JSON.stringify({ formatter, javascript }));
      for (const [path, text] of code) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [biome, "format", `--config-path=${folder}`, join(folder, "packages")],
        {
          encoding: "utf8",
        },
      );
      expect(status, `${stdout}${stderr}`).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("does not contain `any`", () => {
    for (const [path, text] of code) expect(text, path).not.toMatch(/[:<|&(,] *any\b|as any\b/);
  });

  test("describes every type and every field", () => {
    for (const declaration of [...model.declarations.values(), ...model.errorDeclarations.values()]) {
      expect(declaration.description, declaration.name).not.toBe("");
      for (const { wireName, description } of declaration.kind === "object" ? declaration.fields : [])
        expect(description, `${declaration.name}.${wireName}`).not.toBe("");
    }
  });

  test("has a class for every code under its status", () => {
    for (const name of ERROR_CODES)
      expect(fileOf("errors.ts")).toContain(`class ${errorClassName(name)} extends ${statusClassName(ERRORS[name].status)} {`);
  });

  test("has each named list at run time, a list before one that extends it", () => {
    const text = fileOf("values.ts");
    for (const { name } of model.values) expect(text).toContain(`export type ${name} = (typeof ${listName(name)})[number];`);
    expect(text).toContain('export const CONVERTIBLES = ["XAU", "XAG", ...CURRENCIES] as const;');
    expect(text.indexOf("export const CURRENCIES")).toBeLessThan(text.indexOf("export const CONVERTIBLES"));
  });

  test("has one class above all service-side statuses, and describes what a closed stream does not", () => {
    expect(fileOf("errors.ts")).toContain("class Http503Error extends Http5xxError {");
    expect(fileOf("errors.ts")).toContain("readonly tier: TierName | null;");
    expect(fileOf("errors.ts")).toContain("readonly requiredTier: TierName;");
    expect(fileOf("stream.ts")).toContain('unauthenticated: {\n    status: 401,\n    body: { error: "invalid_api_key" },');
  });

  test("reads the fields of a code's body, instants as Date where there is one", () => {
    expect(fileOf("errors.ts")).toContain("this.requiredTier = body.required_tier;");
    expect(fileOf("errors.ts")).toContain("this.resetAt = instantOf(body.reset_at);");
    expect(fileOf("errors.ts")).toContain("readonly resetAt: Date | null;");
    expect(fileOf("errors.ts")).toContain("this.issues = body.issues ?? [];");
  });

  test("distinguishes members of a union by what the others have", () => {
    expect(fileOf("types.ts")).toContain("export type Divergence = DivergenceCount | DivergenceDetail;");
    expect(fileOf("types.ts")).toContain("  readonly diverged?: undefined;");
  });

  test("knows what an answer must have, and what of it may be null: of a union, what all its forms have", () => {
    const fieldsIn = (shape: string): string =>
      new RegExp(`^const ${shape}: Shape = \\{\\s+fields:\\s+"([^"]*)"`, "m").exec(fileOf("operations.ts"))?.[1] ?? "";
    expect(fieldsIn("spotAnswer")).toMatch(/^symbol quote_currency unit contract_type is_stale price:d~ /);
    expect(fieldsIn("latestBar")).toBe("symbol interval bar? meta");
    expect(fieldsIn("bar")).toContain("volume:d? is_closed");
    expect(fieldsIn("divergence")).toContain("threshold_bps");
    expect(fieldsIn("divergence")).not.toContain("diverged");
  });

  test("accepts values an operator's catalogue may add", () => {
    expect(fileOf("resources/convert.ts")).toContain("readonly unit?: Open<WeightUnit> | undefined;");
    expect(fileOf("resources/convert.ts")).toContain("readonly from: Open<Convertible>;");
  });

  test("writes the promise of a list as its method has it", () => {
    const promise = "PagePromise<BarsPage, Wire.BarsPage, Bar, Wire.Bar>";
    expect(files.get("packages/sdk/api.md")).toContain(promise);
    expect(fileOf("resources/bars.ts")).toContain(promise);
  });

  test("keeps the keys of records, and reads their values", () => {
    expect(fileOf("types.ts")).toContain("readonly scrapers: Readonly<Record<string, FeedStatus>>;");
    expect(fileOf("operations.ts")).toContain("scrapers: { record: feedStatus },");
  });

  test("names fields as the SDK does, and values as the wire does", () => {
    expect(fileOf("resources/bars.ts")).toContain("Pass `nextCursor` as `cursor`");
    expect(fileOf("wire.ts")).toContain("next_cursor");
    for (const [path, text] of code.filter(([path]) => path.includes("/resources/")))
      expect(text, path).not.toMatch(/\w+_cursor/);
  });
});

describe.each(routes)("%s", (name, one) => {
  const [resource = "", action = ""] = name.split(".");
  const text = fileOf(`resources/${kebabCase(resource)}.ts`);
  const api = files.get("packages/sdk/api.md") ?? "";

  test("is a method with its description, and an entry of the API page", () => {
    expect(text).toContain(`  ${action}(`);
    expect(api).toContain(`## assay.${resource}\n`);
    expect(api).toContain(`- \`${one.method} ${one.path}\`: \`assay.${name}(`);
  });

  test("has receipts exactly when the route has them", () => {
    const hasReceipt = one.formats !== undefined && "jws" in one.formats;
    const ofResource = routes.filter(([each]) => each.startsWith(`${resource}.`));
    const isSigned = ofResource.some(([, { formats }]) => formats !== undefined && "jws" in formats);
    expect(text.includes(`this.#client.call(${camelCase(resource)}Receipt, `)).toBe(isSigned);
    expect(api.includes(`- \`${one.method} ${one.path}?format=jws\`: \`assay.${resource}.receipt(`)).toBe(hasReceipt);
  });

  test("names the error classes it can reject with, each with its purpose or as one common to all routes", () => {
    const doc =
      text
        .slice(0, text.indexOf(`  ${action}(`))
        .split("/**")
        .at(-1) ?? "";
    for (const declared of one.errors) expect(doc).toContain(`@throws {${errorClassName(declared)}}`);
    for (const any of errorCodesOf(one)) expect(doc).toContain(errorClassName(any));
    expect(doc.includes("@deprecated")).toBe(one.successor !== undefined);
  });

  test("takes every parameter under its own name", () => {
    const [, entry = ""] = fileOf("operations.ts").split(`/** ${one.method} ${one.path} */`);
    const [, parameters = ""] = /parameters:\s+"([^"]*)"/.exec(entry) ?? [];
    const names = parameters.split(" ").map((listed) => listed.split(":")[0]);
    expect(names).toEqual(expect.arrayContaining(Object.keys(one.input.shape)));
  });
});

describe("small contracts", () => {
  const made = (one: Route) => sdkFiles({ metals: { list: one } });
  const listing = (paging: Route["paging"]): Route => ({
    ...route({
      method: "GET",
      path: "/v1/metals/{metal_id}/grades/{grade}",
      tag: "Test",
      summary: "Grades",
      description: "Grades.",
      access: { auth: "required", tier: "pro" },
      input: z.object({ metal_id: z.string(), grade: z.string(), cursor: z.string().optional(), from: z.iso.date() }),
      output: z
        .object({
          rows: z.array(z.object({ seen_at: z.iso.datetime() }).meta({ id: "Grade" })),
          next_cursor: z.string().nullable(),
        })
        .meta({ id: "Grades" }),
      errors: ["not_found"],
      examples: {
        more: { summary: "A page", value: { rows: [], next_cursor: "c1" } },
        last: { summary: "The last page", value: { rows: [], next_cursor: null } },
      },
    }),
    ...(paging ? { paging } : {}),
  });
  const paging = { items: "rows", at: "seen_at" } as const;

  test("put path parameters first, in order, and require what has no default", () => {
    const text = fileOf("resources/metals.ts", made(listing(undefined)));
    expect(text).toContain("list(metalId: string, grade: string, params: MetalsListParams, options: RequestOptions = {})");
    expect(text).toContain("this.#client.call(metalsList, { metalId, grade, ...params }, options)");
    expect(text).toContain("readonly from: string;");
    expect(text).toContain("Needs a key of tier Pro or higher.");
  });

  test("have no two receipts of one name", () => {
    const one: Route = { ...listing(undefined), formats: { jws: "" } };
    expect(fileOf("resources/metals.ts", made(one))).toContain("receipt(metalId: string, grade: string, params:");
    expect(() => sdkFiles({ metals: { list: one, get: { ...one, path: "/v1/metals/{metal_id}" } } })).toThrow(
      "metals.list and metals.get both have receipts",
    );
  });

  test("page by rows, and offer closedOnly only where rows close", () => {
    const text = fileOf("resources/metals.ts", made(listing(paging)));
    expect(text).toContain("PagePromise<Grades, Wire.Grades, Grade, Wire.Grade>");
    expect(text).not.toContain("closedOnly");
    expect(fileOf("operations.ts", made(listing(paging)))).toContain('paging: { items: "rows" },');
  });

  test.each([
    ["a list the answer does not have", { ...paging, items: "bars" }],
    ["an order by a field the rows do not have", { ...paging, at: "barStart" }],
    ["a final mark the rows do not have", { ...paging, closed: "is_closed" }],
  ])("refuse %s", (_, wrong) => {
    expect(() => made(listing(wrong))).toThrow("/v1/metals");
  });

  test("return nothing where an answer has no body, whatever its status", () => {
    const leaving: Route = { ...listing(undefined), output: z.undefined(), success: { status: 307 } };
    expect(fileOf("resources/metals.ts", made(leaving))).toContain("ApiPromise<void, void>");
    expect(fileOf("operations.ts", made(leaving))).toContain("  result: null,");
  });

  test("use the last of several example pages, and refuse a route whose pages never end", () => {
    const text = fileOf("mocks.ts", made(listing(paging)));
    expect(text).toContain("      rows: [],\n      next_cursor: null,\n");
    expect(() => made({ ...listing(paging), examples: {} })).toThrow("/v1/metals");
  });
});
