/** Whatever changes in the contract is told at once of the API and of the SDK, by the compiler or by `gen --check`. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ROOT } from "./harness/root.ts";
import { copyRepository, type Said, type ScratchRepository } from "./harness/scratch-repository.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
const CONTRACT = "packages/contract/src";
const GENERATED = "packages/sdk/src/generated";

let repository: ScratchRepository;
const undo: (() => Promise<void>)[] = [];

const edit = async (path: string, replacements: Record<string, string>): Promise<void> => {
  undo.push(await repository.edit(path, replacements));
};
const compile = (...workspaces: string[]): Promise<Said> => repository.node(TSC, "-b", ...workspaces, "--pretty", "false");
/** The compiler writes what it can even of code that does not compile, so the made files can be compared as well. */
const check = (): Promise<Said> => repository.node("apps/api/dist/gen.js", "--check");
const write = (): Promise<Said> => repository.node("apps/api/dist/gen.js");

beforeAll(async () => {
  const packages = (await readdir(join(ROOT, "packages"))).map((name) => `packages/${name}`);
  repository = await copyRepository([...packages, "apps/api"], ["tsconfig.base.json", "tsconfig.tests.json", "docs/errors"]);
  const { lines } = await compile("apps/api", "packages/sdk");
  expect(lines).toEqual([]);
  await write();
});
afterEach(async () => {
  for (const restore of undo.splice(0).reverse()) await restore();
});
afterAll(() => repository?.remove());

describe("the contract as it is", () => {
  it("compiles, and nothing made from it differs", async () => {
    expect(await compile("packages/services", "packages/sdk")).toEqual({ code: 0, lines: [] });
    expect(await check()).toEqual({ code: 0, lines: [] });
  });
});

describe("a field that is renamed", () => {
  it("stops the service's code that writes it, and shows every made file of API and SDK that names it", async () => {
    await edit(`${CONTRACT}/routes/prices.ts`, {
      "    computed_at: timestamp(\n": "    priced_at: timestamp(\n",
    });
    const compiled = await compile("packages/services");
    expect(compiled.code).toBe(1);
    expect(compiled.lines.join("\n")).toMatch(
      /packages\/services\/src\/prices\/present-row\.ts\(\d+,\d+\): error .*computed_at/s,
    );

    const { code, lines } = await check();
    expect(code).toBe(1);
    expect(lines).toEqual(
      expect.arrayContaining([
        "changed packages/contract/generated/openapi.json",
        `changed ${GENERATED}/types.ts`,
        `changed ${GENERATED}/wire.ts`,
        `changed ${GENERATED}/shapes.ts`,
      ]),
    );
  });

  it("is refused by the generator where lists are walked by it", async () => {
    await edit(`${CONTRACT}/routes/bars.ts`, { "bar_start: timestamp(": "bar_begin: timestamp(" });
    await compile("packages/contract");
    expect((await check()).lines.join("\n")).toContain("/v1/bars is paged by bar_start, which its rows do not have");
  });
});

describe("an error that a route begins to answer with", () => {
  it("is missing from documents and SDK until they are made anew", async () => {
    await edit(`${CONTRACT}/errors.ts`, {
      "  not_found: {":
        '  sold_out: {\n    status: 404,\n    message: "None left.",\n    condition: "None is left.",\n    remedy: "Wait.",\n  },\n  not_found: {',
    });
    await edit(`${CONTRACT}/routes/system.ts`, {
      'summary: "The tier catalog",': 'summary: "The tier catalog", errors: ["sold_out"],',
      '  output: z.array(tierPublic),\n  success: { status: 200, cacheControl: "public, max-age=3600" },\n  errors: [],':
        '  output: z.array(tierPublic),\n  success: { status: 200, cacheControl: "public, max-age=3600" },',
    });
    await compile("packages/contract");
    const { code, lines } = await check();
    expect(code).toBe(1);
    expect(lines).toEqual(
      expect.arrayContaining([
        "changed packages/contract/generated/openapi.json",
        "missing docs/errors/sold_out.md",
        `changed ${GENERATED}/errors.ts`,
        `changed ${GENERATED}/codes.ts`,
        `changed ${GENERATED}/resources/tiers.ts`,
      ]),
    );
  });
});

describe("a route that is added", () => {
  it("does not compile without its verb, and is missing from documents and SDK until they are made anew", async () => {
    await edit(`${CONTRACT}/index.ts`, {
      "prices: { list: listPrices, divergence, history }": "prices: { list: listPrices, divergence, history, fixing }",
    });
    await edit(`${CONTRACT}/index.ts`, {
      "import { divergence, getSpot, history, listPrices }": "import { divergence, fixing, getSpot, history, listPrices }",
    });
    await edit(`${CONTRACT}/routes/prices.ts`, {
      "/** GET /v1/prices */":
        '/** GET /v1/prices/fixing */\nexport const fixing = route({\n  method: "GET",\n  path: "/v1/prices/fixing",\n  tag: "Spot prices",\n  summary: "The fixing",\n  description: "The fixing.",\n  access: { auth: "optional" },\n  input: z.object({}),\n  output: spotRow,\n  errors: [],\n});\n\n/** GET /v1/prices */',
    });
    const compiled = await compile("packages/services");
    expect(compiled.code).toBe(1);
    expect(compiled.lines.join("\n")).toMatch(/packages\/services\/src\/verbs\.ts\(\d+,\d+\): error .*'fixing' is missing/s);

    const { code, lines } = await check();
    expect(code).toBe(1);
    expect(lines).toEqual(
      expect.arrayContaining([
        "changed packages/contract/generated/openapi.json",
        `changed ${GENERATED}/operations.ts`,
        `changed ${GENERATED}/resources/prices.ts`,
        `changed ${GENERATED}/mocks.ts`,
        "changed packages/sdk/api.md",
      ]),
    );
  });
});

describe("a field that is renamed and made anew", () => {
  it("stops programs that read it through the SDK", async () => {
    await edit(`${CONTRACT}/routes/bars.ts`, { "close: price(": "last: price(" });
    await compile("packages/contract");
    await write();
    const options = { noEmit: true, composite: false, incremental: false, declaration: false, declarationMap: false };
    const config = { extends: "./tsconfig.base.json", compilerOptions: { ...options, lib: ["es2023", "dom"] } };
    const program =
      'import { Assay } from "./packages/sdk/src/index.ts";\n' +
      'const { bar } = await new Assay().bars.latest({ symbol: "GC" });\nexport const read = [bar?.open, bar?.close];\n';
    await writeFile(join(repository.folder, "program.ts"), program);
    await writeFile(join(repository.folder, "package.json"), JSON.stringify({ type: "module" }));
    await writeFile(join(repository.folder, "tsconfig.json"), JSON.stringify({ ...config, files: ["program.ts"] }));
    const { code, lines } = await repository.node(TSC, "-p", ".", "--pretty", "false");
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^program\.ts\(3,\d+\): error .*'close' does not exist on type 'Bar'/)]);
  });
});
