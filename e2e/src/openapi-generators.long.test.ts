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
  "@hey-api/openapi-ts@0.95.0",
  "orval@7.13.2",
  "openapi-to-postmanv2@6.3.3",
  "typescript@5.9.3",
  "zod@4.6.7",
];

/** A consumer's file: what it uses must exist, and its marked lines must not compile. */
const CONSUMER = `
import type { paths } from "./openapi-typescript";
import { barsList, type BarsListErrors } from "./hey-api";
import { barsListQueryParams } from "./orval/zod";
import { spotGet } from "./orval/fetch";

type Price = paths["/v1/spot/{symbol}"]["get"]["responses"]["200"]["content"]["application/json"]["price"];
export const price: Price = "4003.20";
export const unexpected: BarsListErrors[500] = "Internal Server Error";
// @ts-expect-error a 500 is one constant, not any text
export const other: BarsListErrors[500] = "anything";
export const bars = () => barsList({ query: { symbol: "XAU/USD", from: "2026-11-01", to: "2026-11-20T00:00:00Z" } });
export const row = () => spotGet("gold");
export const window = barsListQueryParams.parse({ symbol: "XAU/USD", from: "2026-11-01", to: "2026-11-20" });
`;

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

  test("becomes types and clients that compile, with openapi-typescript, hey-api and orval", async () => {
    await tool("openapi-typescript", "openapi.json", "-o", "openapi-typescript.d.ts");
    await tool("openapi-ts", "-i", "openapi.json", "-o", "hey-api");
    await tool("orval", "--input", "./openapi.json", "--output", "./orval/fetch.ts", "--client", "fetch");
    await tool("orval", "--input", "./openapi.json", "--output", "./orval/zod.ts", "--client", "zod");
    await folder.write("consumer.ts", CONSUMER);
    const include = ["consumer.ts", "openapi-typescript.d.ts", "hey-api", "orval"];
    await folder.write("tsconfig.json", JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include }));
    expect(await tool("tsc", "-p", ".")).toBe("");
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
