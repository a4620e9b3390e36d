/** The served OpenAPI document in third-party tools: linted, imported, used to generate clients, which are compiled. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { type Service, startService } from "./harness/service.ts";

const run = promisify(execFile);

/** Installed from the registry into a temporary folder: none is a dependency of this repository. */
const TOOLS = [
  "@redocly/cli@2.77.0",
  "@stoplight/spectral-cli@6.16.3",
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "@hey-api/openapi-ts@0.99.0",
  "orval@8.38.0",
  ...["cli", "core", "plugin-oas", "plugin-ts", "plugin-client"].map((name) => `@kubb/${name}@4.39.3`),
  "openapi-to-postmanv2@6.3.3",
  "typescript@5.9.3",
  "esbuild@0.28.2",
  "zod@4.6.7",
];

const ORVAL = `
const input = "./openapi.json";
export default {
  fetch: { input, output: { target: "./orval/fetch.ts", client: "fetch", baseUrl: { getBaseUrlFromSpecification: true } } },
  zod: { input, output: { target: "./orval/zod.ts", client: "zod" } },
};
`;

/** @param baseUrl Kubb's client takes it when it is generated */
const kubb = (baseUrl: string): string => `
import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
export default defineConfig({
  input: { path: "./openapi.json" },
  output: { path: "./kubb", extension: { ".ts": "" }, format: false },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs({ output: { path: "types.ts" }, unknownType: "unknown" }),
    pluginClient({ output: { path: "clients.ts" }, client: "fetch", bundle: true, baseURL: ${JSON.stringify(baseUrl)} }),
  ],
});
`;

/** A consumer's program: what it uses must exist, and its marked lines must not compile. It makes one call with each client. */
const CONSUMER = `
import createClient from "openapi-fetch";
import { type BarsListErrors, spotGet as withHeyApi } from "./hey-api";
import { client } from "./hey-api/client.gen";
import { spotGet as withKubb } from "./kubb";
import type { paths } from "./openapi-typescript";
import { spotGet as withOrval } from "./orval/fetch";
import { BarsListQueryParams } from "./orval/zod";

export const unexpected: BarsListErrors[500] = "Internal Server Error";
// @ts-expect-error a 500 is one constant, not any text
export const other: BarsListErrors[500] = "anything";
export const window = BarsListQueryParams.parse({ symbol: "XAU/USD", from: "2026-11-01", to: "2026-11-20" });

declare const process: { readonly argv: readonly string[] };
const [, , baseUrl = ""] = process.argv;
client.setConfig({ baseUrl });
type Price = paths["/v1/spot/{symbol}"]["get"]["responses"]["200"]["content"]["application/json"]["price"];
const priceOf = (answer: string | { readonly price?: Price } | undefined): Price | undefined =>
  typeof answer === "object" ? answer.price : undefined;
const path = { symbol: "gold" } as const;
const { data: first } = await createClient<paths>({ baseUrl }).GET("/v1/spot/{symbol}", { params: { path } });
const { data: second } = await withHeyApi({ path });
const third = await withOrval("gold");
const fourth = await withKubb("gold");
console.log(
  JSON.stringify([priceOf(first), priceOf(second), third.status === 200 ? priceOf(third.data) : undefined, priceOf(fourth)]),
);
`;

/** Where a generator could not tell the type of a parameter. */
const untyped = (source: string): string[] => {
  const types = source.matchAll(/(?:interface|type) \w*(?:Query|Path|Header)?(?:Data|Params)\b[\s\S]*?\n\};?\n/g);
  return Array.from(types, ([text]) => text).flatMap((text) => text.match(/^.*\??: (?:unknown|any)\b.*$/gm) ?? []);
};

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
};

const offline = await run("npm", ["ping"]).then(
  () => false,
  () => true,
);
if (offline) console.info("OpenAPI generators: left out, because the npm registry does not answer");

describe.skipIf(offline)("the served document", { meta: { needs: "other people's programs cannot be had" } }, () => {
  let folder: Folder;
  let service: Service;
  let data: Folder;
  const tool = async (program: string, ...args: string[]): Promise<string> => {
    const failed = (error: { stdout: string; stderr: string }): never => {
      throw new Error(`${program} failed:\n${error.stdout}\n${error.stderr}`);
    };
    const { stdout } = await run(join(folder.path, "node_modules/.bin", program), args, { cwd: folder.path }).catch(failed);
    return stdout;
  };
  beforeAll(async () => {
    folder = await temporaryFolder();
    data = await temporaryFolder();
    await folder.write("package.json", JSON.stringify({ name: "consumer", private: true, type: "module" }));
    await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...TOOLS], { cwd: folder.path });
    service = await startService({ DATA_DIR: data.path, DISABLE: "" });
    await folder.write("openapi.json", await (await fetch(`${service.url}/openapi.json`)).text());
  }, 600_000);
  afterAll(async () => {
    await service?.stop();
    await Promise.all([folder.remove(), data.remove()]);
  });

  test("passes Redocly's recommended rules", async () => {
    await tool("redocly", "lint", "openapi.json");
  });

  test("passes Spectral's rules for OpenAPI", async () => {
    await folder.write(".spectral.yaml", 'extends: ["spectral:oas"]\n');
    await tool("spectral", "lint", "openapi.json", "--ruleset", ".spectral.yaml", "--fail-severity", "error");
  });

  test("becomes clients that compile and call, with openapi-typescript, hey-api, orval and Kubb", async () => {
    await folder.write("orval.config.mjs", ORVAL);
    await folder.write("kubb.config.mjs", kubb(service.url));
    await tool("openapi-typescript", "openapi.json", "-o", "openapi-typescript.d.ts");
    await tool("openapi-ts", "-i", "openapi.json", "-o", "hey-api");
    await tool("orval");
    await tool("kubb", "generate");
    await folder.write("consumer.ts", CONSUMER);
    const include = ["consumer.ts", "openapi-typescript.d.ts", "hey-api", "orval", "kubb"];
    await folder.write("tsconfig.json", JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include }));
    expect(await tool("tsc", "-p", ".")).toBe("");
    for (const file of ["hey-api/types.gen.ts", "orval/fetch.ts", "kubb/types.ts"]) {
      const source = await readFile(join(folder.path, file), "utf8");
      expect(source, file).toMatch(/(Params|Data)\b/);
      expect(untyped(source), file).toEqual([]);
    }
    await tool("esbuild", "consumer.ts", "--bundle", "--platform=node", "--format=esm", "--outfile=consumer.mjs");
    const { stdout } = await run(process.execPath, [join(folder.path, "consumer.mjs"), service.url]);
    const figure = expect.stringMatching(/^\d+\.\d+$/);
    expect(JSON.parse(stdout)).toEqual([figure, figure, figure, figure]);
  }, 300_000);

  test("is imported by Postman with a key where one is accepted, and none where it is ignored", async () => {
    await tool("openapi2postmanv2", "-s", "openapi.json", "-o", "postman.json");
    const collection = JSON.parse(await readFile(join(folder.path, "postman.json"), "utf8"));
    expect(collection.auth.type).toBe("bearer");
    interface Item {
      readonly name: string;
      readonly item?: readonly Item[];
      readonly request?: { readonly auth: { readonly type: string } | null };
    }
    const flat = (items: readonly Item[]): Item[] => items.flatMap((item) => (item.item ? flat(item.item) : [item]));
    const auth = new Map(flat(collection.item).map(({ name, request }) => [name, request?.auth?.type]));
    expect(auth.get("One spot price")).toBe("bearer");
    expect(auth.get("Usage")).not.toBe("noauth");
    expect(auth.get("Liveness")).not.toBe("bearer");
  });
});
