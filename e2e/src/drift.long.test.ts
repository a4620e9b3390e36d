/** Every change of the contract is detected in the API and the SDK, by the compiler or by `gen --check`. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ROOT } from "./harness/files.ts";
import { copyRepository, type ScratchRepository, type ScriptResult } from "./harness/scratch-repository.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
const CONTRACT = "packages/contract/src";
const GENERATED = "packages/sdk/src/generated";

let repository: ScratchRepository;
const undo: (() => Promise<unknown>)[] = [];

const edit = async (path: string, replacements: Record<string, string>): Promise<void> => {
  undo.push(await repository.edit(path, replacements));
};
/** On one thread: several do the same work for nearly twice the CPU time, which other suites need. */
const compile = (...workspaces: string[]): Promise<ScriptResult> =>
  repository.node(TSC, "-b", ...workspaces, "--pretty", "false", "--singleThreaded");
const check = (): Promise<ScriptResult> => repository.node("packages/codegen/dist/gen.js", "--check");
const write = (): Promise<ScriptResult> => repository.node("packages/codegen/dist/gen.js");

beforeAll(async () => {
  const packages = (await readdir(join(ROOT, "packages"))).map((name) => `packages/${name}`);
  repository = await copyRepository(packages, [
    "tsconfig.base.json",
    "tsconfig.tests.json",
    "docs/errors",
    "apps/console/src/text",
  ]);
  const { lines } = await compile("packages/codegen", "packages/services", "packages/sdk");
  expect(lines).toEqual([]);
  await write();
});
afterEach(async () => {
  for (const restore of undo.splice(0).reverse()) await restore();
});
afterAll(() => repository?.remove());

describe("the contract as it is", () => {
  it("compiles, and its generated files are up to date", async () => {
    expect(await compile("packages/services", "packages/sdk")).toEqual({ code: 0, lines: [] });
    expect(await check()).toEqual({ code: 0, lines: [] });
  });
});

describe("a field that is renamed", () => {
  it("breaks the service's code that writes it, and is reported for every generated file of API and SDK that names it", async () => {
    await edit(`${CONTRACT}/routes/spot.ts`, { " computed_at:": " priced_at:" });
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
        `changed ${GENERATED}/operations.ts`,
      ]),
    );
  });

  it("is refused by the generator where lists are paged by it", async () => {
    await edit(`${CONTRACT}/routes/bars.ts`, { " bar_start:": " bar_begin:" });
    await compile("packages/contract");
    expect((await check()).lines.join("\n")).toContain("/v1/bars is paged by bar_start, which its rows do not have");
  });
});

describe("an error code added to a route", () => {
  it("is missing from documents and SDK until they are generated again", async () => {
    await edit(`${CONTRACT}/errors.ts`, {
      "  not_found: {":
        '  sold_out: {\n    status: 404,\n    message: "None left.",\n    condition: "None is left.",\n    remedy: "Wait.",\n  },\n  not_found: {',
    });
    await edit(`${CONTRACT}/routes/tiers.ts`, {
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
        `changed ${GENERATED}/mocks.ts`,
        `changed ${GENERATED}/resources/tiers.ts`,
      ]),
    );
  });
});

/** The places AGENTS.md lists for a route, in its order. */
const placesOf = async (resource: string, action: string): Promise<string[]> => {
  const row = /^\| a route \|.*$/m.exec(await readFile(join(ROOT, "AGENTS.md"), "utf8"))?.[0] ?? "";
  const named = [...row.matchAll(/`(packages\/[^`]+)`/g)].map(([, path = ""]) => path);
  return named.map((path) => path.replace("<resource>", resource).replace("<action>", action));
};

const FIXING = {
  route: `/** GET /v1/prices/fixing */
export const fixing = route({
  method: "GET",
  path: "/v1/prices/fixing",
  tag: "Spot prices",
  summary: "The fixing",
  description: "The fixing.",
  access: { auth: "optional" },
  input: z.object({}),
  output: spotRow,
  errors: ["service_unavailable"],
  examples: { gold: { summary: "Gold", value: exampleRow } },
});

/** GET /v1/prices */`,
  verb: `/** \`GET /v1/prices/fixing\`: refuses for now. */
export const fixing: Verb<AssayContract["prices"]["fixing"], VerbContext> = (_input, { fail }) => fail("service_unavailable");

/** \`GET /v1/prices\``,
};

describe("an added route", () => {
  const MADE = [
    "changed packages/contract/generated/openapi.json",
    `changed ${GENERATED}/operations.ts`,
    `changed ${GENERATED}/resources/prices.ts`,
    `changed ${GENERATED}/mocks.ts`,
    "changed packages/sdk/api.md",
  ];

  it("does not compile without its verb, is missing from documents and SDK until they are generated, and touches the places AGENTS.md names", async () => {
    const places = await placesOf("prices", "fixing");
    expect(places.length).toBeLessThanOrEqual(5);
    const [routes = "", tree = "", verb = "", verbs = "", ...more] = places;
    expect(more).toEqual([]);
    undo.push(write, () => compile("packages/contract"));

    await edit(routes, { "/** GET /v1/prices */": FIXING.route });
    await edit(tree, {
      "import { divergence, history, listPrices }": "import { divergence, fixing, history, listPrices }",
      "prices: { list: listPrices, divergence, history }": "prices: { list: listPrices, divergence, history, fixing }",
    });
    const compiled = await compile("packages/services");
    expect(compiled.code).toBe(1);
    expect(compiled.lines.join("\n")).toMatch(/packages\/services\/src\/verbs\.ts\(\d+,\d+\): error .*'fixing' is missing/s);
    const missing = await check();
    expect(missing.code).toBe(1);
    expect(missing.lines).toEqual(expect.arrayContaining(MADE));

    await edit(verb, { "/** `GET /v1/prices`": FIXING.verb });
    await edit(verbs, {
      "import { divergence, history, listPrices }": "import { divergence, fixing, history, listPrices }",
      "history: history(deps) }": "history: history(deps), fixing }",
    });
    await write();
    expect(await compile("packages/services", "packages/sdk")).toEqual({ code: 0, lines: [] });
    expect(await check()).toEqual({ code: 0, lines: [] });
  });
});

describe("a renamed field in a new SDK", () => {
  it("breaks programs that read it through the SDK", async () => {
    await edit(`${CONTRACT}/routes/bars.ts`, { " close:": " last:", '"bar.close"': '"bar.last"' });
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
    const { code, lines } = await repository.node(TSC, "-p", ".", "--pretty", "false", "--singleThreaded");
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^program\.ts\(3,\d+\): error .*'close' does not exist on type 'Bar'/)]);
  });
});
