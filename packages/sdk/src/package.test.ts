/** The packed tarball, installed into an empty project, as consumers get it. */
import { access, readdir, readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { createPackageFromTarballData } from "@arethetypeswrong/core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gap, minutesPage, NOON_MS, tick } from "./testing/frames.ts";
import { installPacked, type Project, programOf } from "./testing/packed.ts";
import { type Peer, streamService } from "./testing/stream-service.ts";
import { STRICT, typesSuite } from "./testing/types-suite.ts";

const GOLD = "XAU-USD-SPOT";

let project: Project;
let tarball: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  project = await installPacked(["@types/node", "msw", "@trpc/client", "@trpc/server"]);
  tarball = new Uint8Array(await readFile(project.tarball));
});
afterAll(() => project?.remove());

describe("the tarball", () => {
  test("holds compiled code, sources and documents, and no tests, compiler caches or tools", async () => {
    const files = createPackageFromTarballData(tarball).listFiles();
    const paths = files.map((path) => path.replace("/node_modules/@assay/sdk/", ""));
    expect(paths).toEqual(
      expect.arrayContaining(["dist/index.js", "dist/cjs/index.js", "src/index.ts", "README.md", "LICENSE", "api.md"]),
    );
    expect(paths.filter((path) => /\.test|testing\/|tsbuildinfo|^scripts|tsconfig/.test(path))).toEqual([]);
  });

  test("is no larger than 510 kB, maps of both builds and sources included", () => {
    console.info(`@assay/sdk: the tarball has ${(tarball.byteLength / 1000).toFixed(1)} kB`);
    expect(tarball.byteLength).toBeLessThan(510_000);
  });

  test("names no condition except import and require, so that a consumer's own conditions apply to its own packages", async () => {
    const manifest = JSON.parse(await readFile(join(project.folder, "node_modules/@assay/sdk/package.json"), "utf8"));
    const conditionsOf = (value: unknown): string[] =>
      typeof value !== "object" || value === null
        ? []
        : Object.entries(value).flatMap(([name, each]) => [...(name.startsWith(".") ? [] : [name]), ...conditionsOf(each)]);
    expect(new Set(conditionsOf(manifest.exports))).toEqual(new Set(["import", "require", "types", "default"]));
    await project.write("custom.mjs", 'import { Assay } from "@assay/sdk";\nconsole.log(typeof Assay);\n');
    expect(await project.node("--conditions=source", "custom.mjs")).toBe("function");
  });

  test.each(["dist", "dist/cjs"])("maps every file of %s to its source", async (build) => {
    const root = join(project.folder, "node_modules/@assay/sdk");
    const files = (await readdir(join(root, build), { recursive: true })).filter((path) => path.endsWith(".js"));
    const own = files.filter((path) => build !== "dist" || !path.startsWith("cjs"));
    expect(own.length).toBeGreaterThan(60);
    for (const path of own) {
      const file = join(root, build, path);
      const { sources } = JSON.parse(await readFile(`${file}.map`, "utf8"));
      expect(await readFile(file, "utf8")).toContain(`//# sourceMappingURL=${basename(path)}.map`);
      for (const source of sources) await access(join(dirname(file), source));
    }
  });

  test("depends only on decimal.js, and for streams on ws and eventsource-parser", async () => {
    const manifest = JSON.parse(await readFile(join(project.folder, "node_modules/@assay/sdk/package.json"), "utf8"));
    expect(Object.keys(manifest.dependencies)).toEqual(["decimal.js", "eventsource-parser", "ws"]);
    expect(manifest.peerDependenciesMeta).toEqual({
      "@trpc/client": { optional: true },
      "@trpc/server": { optional: true },
      msw: { optional: true },
    });
  });
});

/** A service in the consumer's process; it serves one price, and gates silver. */
const SERVICE = `
const server = createServer(({ url }, response) => {
  const isGold = url.startsWith("/v1/spot/gold");
  response.writeHead(isGold ? 200 : 403, { "content-type": "application/json", "x-request-id": "r1" });
  const gold = { symbol: "XAU", quote_currency: "USD", unit: "troy_ounce", contract_type: "spot", is_stale: false, price: "4003.20" };
  const gate = { error: "plan_gated", message: "No.", request_id: "r1", tier: "free", required_tier: "pro" };
  response.end(JSON.stringify(isGold ? gold : gate));
});
const main = async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const assay = new Assay({ baseUrl: "http://127.0.0.1:" + server.address().port });
  const { price } = await assay.spot.get("gold");
  const error = await assay.spot.get("silver").catch((caught) => caught);
  console.log(price.toString(), price.times(2) instanceof Decimal, error instanceof PlanGatedError, error.requiredTier);
  server.close();
};
main();
`;

const MOCKED = `
const server = setupServer(...mockAssay({ baseUrl: "http://assay.test", prices: { list: ({ fail }) => fail("service_unavailable") } }));
server.listen();
const assay = new Assay({ baseUrl: "http://assay.test", maxRetries: 0 });
Promise.allSettled([assay.prices.list(), assay.spot.get("gold")]).then(([list, gold]) => {
  console.log(list.reason.code, gold.value.symbol);
  server.close();
});
`;

/** An unknown key, at a port without a listener: the socket is `ws`, and its error is reported. */
const STREAMED = `
const main = async () => {
  const assay = new Assay({ apiKey: "assay_live_nobody", baseUrl: "http://127.0.0.1:1", logLevel: "off" });
  for (const transport of ["websocket", "sse"]) {
    const events = assay.stream.subscribe({ transport, symbols: ["XAU-USD-SPOT"], maxReconnects: 0 });
    const statuses = [];
    try {
      for await (const event of events) statuses.push(event.status);
    } catch (error) {
      console.log(statuses.join(), error.name, error instanceof ConnectionError, /ECONNREFUSED|bad port/.test(error.message));
    }
  }
  console.log(typeof assay.spot.get, assay instanceof Rest, Decimal === RestDecimal);
};
main();
`;
const STREAMED_ALONE = `
const assay = new Assay({ apiKey: "assay_live_nobody", baseUrl: "http://127.0.0.1:1", logLevel: "off" });
try {
  for await (const _ of assay.stream.subscribe({ symbols: ["XAU-USD-SPOT"], maxReconnects: 0 }));
} catch (error) {
  console.log(error.name, error instanceof ConnectionError, error.message.includes("ECONNREFUSED"));
}
`;
const STREAM_LINES = `${"connecting,closed StreamLostError true true\n".repeat(2)}function true true`;

/** A service in the consumer's process that answers two calls in one batch, and gates silver. */
const TRPC = `
const answers = {
  gold: { result: { data: { symbol: "XAU", price: "4003.20" } } },
  silver: { error: { message: "No.", code: -32603, data: { code: "FORBIDDEN", httpStatus: 403,
    wire: { error: "plan_gated", message: "No.", request_id: "r1", tier: "free", required_tier: "pro" } } } },
};
const asked = [];
const server = createServer(({ url, headers }, response) => {
  const { pathname, searchParams } = new URL(url, "http://assay.test");
  asked.push(pathname, headers.authorization);
  const inputs = Object.values(JSON.parse(searchParams.get("input")));
  response.setHeader("content-type", "application/json").end(JSON.stringify(inputs.map(({ symbol }) => answers[symbol])));
});
const main = async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = "http://127.0.0.1:" + server.address().port + "/metals/";
  const assay = createTRPCClient({ links: [assayLink({ baseUrl, apiKey: "k" })] });
  const [gold, silver] = await Promise.allSettled(["gold", "silver"].map((symbol) => assay.spot.get.query({ symbol })));
  console.log(asked.join(), gold.value.price, wireErrorOf(silver.reason).required_tier, wireErrorOf(new Error("no")));
  server.close();
};
main();
`;
const TRPC_LINE = "/metals/trpc/spot.get,spot.get,Bearer k 4003.20 pro null";

describe("the installed package", () => {
  test("is used by import", async () => {
    const head = 'import { createServer } from "node:http";\nimport { Assay, Decimal, PlanGatedError } from "@assay/sdk";\n';
    await project.write("use.mjs", head + SERVICE);
    expect(await project.node("use.mjs")).toBe("4003.20 true true pro");
  });

  test("is used by require", async () => {
    const head =
      'const { createServer } = require("node:http");\nconst { Assay, Decimal, PlanGatedError } = require("@assay/sdk");\n';
    await project.write("use.cjs", head + SERVICE);
    // With require(esm) disabled, which would hide a missing CommonJS build.
    expect(await project.node("--no-experimental-require-module", "use.cjs")).toBe("4003.20 true true pro");
  });

  test("mocks the service by import", async () => {
    const head =
      'import { Assay } from "@assay/sdk";\nimport { mockAssay } from "@assay/sdk/msw";\nimport { setupServer } from "msw/node";\n';
    await project.write("mock.mjs", head + MOCKED);
    expect(await project.node("mock.mjs")).toBe("service_unavailable XAU");
  });

  test("mocks the service by require", async () => {
    const head =
      'const { Assay } = require("@assay/sdk");\nconst { mockAssay } = require("@assay/sdk/msw");\nconst { setupServer } = require("msw/node");\n';
    await project.write("mock.cjs", head + MOCKED);
    expect(await project.node("mock.cjs")).toBe("service_unavailable XAU");
  });

  test("streams by import, as the same package", async () => {
    const head =
      'import { Assay, Decimal, ConnectionError } from "@assay/sdk/stream";\nimport { Assay as Rest, Decimal as RestDecimal } from "@assay/sdk";\n';
    await project.write("stream.mjs", head + STREAMED);
    expect(await project.node("stream.mjs")).toBe(STREAM_LINES);
  });

  test("streams by require, as the same package", async () => {
    const head =
      'const { Assay, Decimal, ConnectionError } = require("@assay/sdk/stream");\nconst { Assay: Rest, Decimal: RestDecimal } = require("@assay/sdk");\n';
    await project.write("stream.cjs", head + STREAMED);
    expect(await project.node("--no-experimental-require-module", "stream.cjs")).toBe(STREAM_LINES);
  });

  test("speaks tRPC by import", async () => {
    const head =
      'import { createServer } from "node:http";\nimport { createTRPCClient } from "@trpc/client";\nimport { assayLink, wireErrorOf } from "@assay/sdk/trpc";\n';
    await project.write("trpc.mjs", head + TRPC);
    expect(await project.node("trpc.mjs")).toBe(TRPC_LINE);
  });

  test("speaks tRPC by require", async () => {
    const head =
      'const { createServer } = require("node:http");\nconst { createTRPCClient } = require("@trpc/client");\nconst { assayLink, wireErrorOf } = require("@assay/sdk/trpc");\n';
    await project.write("trpc.cjs", head + TRPC);
    expect(await project.node("--no-experimental-require-module", "trpc.cjs")).toBe(TRPC_LINE);
  });

  test("recognises errors and figures of its other build by instanceof, and not those of other packages", async () => {
    await project.write(
      "both.mjs",
      `import { createRequire } from "node:module";
       import * as esm from "@assay/sdk";
       const cjs = createRequire(import.meta.url)("@assay/sdk");
       const details = { status: 403, code: "plan_gated", message: "No.", requestId: null, retryAfterSeconds: null, body: {}, headers: new Headers() };
       for (const [one, other] of [[esm, cjs], [cjs, esm]]) {
         const error = new one.PlanGatedError(details);
         const figure = new one.PublishedDecimal("4003.20");
         console.log(
           one.PlanGatedError !== other.PlanGatedError,
           [other.PlanGatedError, other.Http403Error, other.ApiError, other.AssayError, Error].every((Class) => error instanceof Class),
           [other.ValidationError, other.Http429Error, other.ConnectionError].some((Class) => error instanceof Class),
           figure instanceof other.PublishedDecimal && figure instanceof other.Decimal && figure.plus(1) instanceof other.Decimal,
           figure.plus(1) instanceof other.PublishedDecimal,
           other.Decimal.max(figure, "1").toString() + figure.text,
         );
       }
       class Mine extends esm.ApiError {}
       console.log(new Mine(details) instanceof Mine, new Mine(details) instanceof esm.ApiError, new esm.ApiError(details) instanceof Mine);
       console.log([null, undefined, "text", {}, new Error("x")].some((value) => value instanceof esm.AssayError));`,
    );
    const line = "true true false true false 4003.24003.20";
    expect(await project.node("both.mjs")).toBe(`${line}\n${line}\ntrue true false\nfalse`);
  });

  test("exports nothing beside its entry points", async () => {
    await project.write("deep.mjs", 'import("@assay/sdk/dist/index.js").catch(({ code }) => console.log(code));');
    expect(await project.node("deep.mjs")).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });
});

typesSuite("TypeScript 7", programOf("typescript/bin/tsc"), () => project);

describe("the guide of tRPC", () => {
  test("has only code that compiles", async () => {
    const guide = await readFile(new URL("../../../docs/guides/trpc.md", import.meta.url), "utf8");
    const blocks = [...guide.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
    expect(blocks).toHaveLength(3);
    const files = blocks.map((_, index) => `trpc-guide-${index}.mts`);
    for (const [index, code] of blocks.entries()) await project.write(`trpc-guide-${index}.mts`, code);
    const compilerOptions = { ...STRICT, module: "nodenext", lib: ["es2023", "dom"], types: ["node"], skipLibCheck: true };
    await project.write("tsconfig.trpc-guide.json", JSON.stringify({ compilerOptions, files }));
    expect(await project.node(programOf("typescript/bin/tsc"), "-p", "tsconfig.trpc-guide.json")).toBe("");
  });
});

describe("the README", () => {
  test("has only code that compiles", async () => {
    const readme = await readFile(join(project.folder, "node_modules/@assay/sdk/README.md"), "utf8");
    const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
    expect(blocks.length).toBeGreaterThan(5);
    const files = blocks.map((_, index) => `readme-${index}.mts`);
    for (const [index, code] of blocks.entries()) await project.write(`readme-${index}.mts`, code);
    const compilerOptions = { ...STRICT, module: "nodenext", lib: ["es2023"], types: ["node"], skipLibCheck: true };
    await project.write("tsconfig.readme.json", JSON.stringify({ compilerOptions, files }));
    expect(await project.node(programOf("typescript/bin/tsc"), "-p", "tsconfig.readme.json")).toBe("");
  });

  test("shows a program that continues after a restart where it was, with the gap filled", async () => {
    const readme = await readFile(join(project.folder, "node_modules/@assay/sdk/README.md"), "utf8");
    const [, code = ""] = /### After a restart[\s\S]*?^```ts\n([\s\S]*?)^```/m.exec(readme) ?? [];
    await project.write("readme-restart.mjs", code);
    const at = (second: number): number => NOON_MS + second * 1_000;
    const plays = [
      (peer: Peer) => peer.send(tick(41, GOLD, at(0), { snapshot: true }), tick(42, GOLD, at(90))),
      (peer: Peer) => peer.send(gap(43, 99, "expired"), tick(100, GOLD, at(900))),
    ];
    const service = await streamService({
      onPeer: (peer, index) => {
        peer.welcome();
        plays[index]?.(peer);
        peer.refuse("bad_frame", 4400); // ends the program
      },
    });
    const asked: string[] = [];
    service.rest = ({ url = "" }, response) => {
      asked.push(url);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(minutesPage([at(60)])));
    };
    const env = { ASSAY_BASE_URL: service.url, ASSAY_API_KEY: "assay_live_k" };
    for (const _ of plays) await expect(project.nodeWith(env, "readme-restart.mjs")).rejects.toThrow("StreamBadFrameError");
    expect(service.peers[1]?.frames[1]).toMatchObject({ resume: { [GOLD]: 42 } });
    expect(asked.map((url) => new URL(url, service.url).searchParams.get("from"))).toEqual([new Date(at(60)).toISOString()]);
    const kept = JSON.parse(await readFile(join(project.folder, "last-tick.json"), "utf8"));
    expect(kept).toEqual({ [GOLD]: { seq: 100, computedAt: new Date(at(900)).toISOString() } });
  });

  test("shows a mocked stream that works", async () => {
    const readme = await readFile(join(project.folder, "node_modules/@assay/sdk/README.md"), "utf8");
    const [, code = ""] = /### Streams in tests[\s\S]*?^```ts\n([\s\S]*?)^```/m.exec(readme) ?? [];
    await project.write("readme-streams.mjs", code);
    expect(await project.node("readme-streams.mjs")).toBe("tick 4003.20\ngap 2 to 4\ntick 4004.10");
  });

  test("shows a mocked service that works", async () => {
    const readme = await readFile(join(project.folder, "node_modules/@assay/sdk/README.md"), "utf8");
    const [, code = ""] = /## Testing[\s\S]*?^```ts\n([\s\S]*?)^```/m.exec(readme) ?? [];
    await project.write("readme-testing.mjs", code);
    expect(await project.node("readme-testing.mjs")).toBe("4003.20");
  });
});

describe("a bundle", () => {
  const bundle = async (entry: string, names = "Assay"): Promise<string> => {
    await project.write("entry.mjs", `export { ${names} } from "${entry}";`);
    const build = await rolldown({
      input: join(project.folder, "entry.mjs"),
      cwd: project.folder,
      platform: "browser",
      logLevel: "silent",
    });
    const { output } = await build.generate({ format: "esm", minify: true });
    await build.close();
    return output.map((chunk) => ("code" in chunk ? chunk.code : "")).join("\n");
  };

  test.each([
    ["REST only", "@assay/sdk", "Assay", "restGzipBytes"],
    ["one resource", "@assay/sdk/resources", "assayWith, SpotResource", "resourceGzipBytes"],
    ["with streams", "@assay/sdk/stream", "Assay", "streamGzipBytes"],
  ])("%s stays under its budget", async (name, entry, names, budgetName) => {
    const budgets = JSON.parse(await readFile(new URL("../size-budget.json", import.meta.url), "utf8"));
    const code = await bundle(entry, names);
    const size = gzipSync(code, { level: 9 }).byteLength;
    console.info(`@assay/sdk, ${name}: ${size} bytes of ${budgets[budgetName]}, minified and gzipped (${code.length} minified)`);
    expect(size).toBeLessThanOrEqual(budgets[budgetName]);
  });

  // As esbuild bundles for Node: built-in modules that CommonJS needs are asked of a global `require`, which modules lack.
  test("as a module for Node opens a WebSocket", async () => {
    await project.write("bundled.mjs", `import { Assay, ConnectionError } from "@assay/sdk/stream";${STREAMED_ALONE}`);
    const build = await rolldown({
      input: join(project.folder, "bundled.mjs"),
      cwd: project.folder,
      platform: "neutral",
      resolve: { conditionNames: ["node", "import"], mainFields: ["main"] },
      external: isBuiltin,
      logLevel: "silent",
    });
    const { output } = await build.generate({ format: "esm", codeSplitting: false });
    await build.close();
    await project.write("bundle.mjs", output[0].code);
    expect(await project.node("bundle.mjs")).toBe("StreamLostError true true");
  });

  test("of one resource holds no other", async () => {
    const code = await bundle("@assay/sdk/resources", "assayWith, SpotResource");
    expect(code).toContain("/v1/spot/{symbol}");
    expect(code.match(/\/v1\/[\w/{}-]+/g)?.filter((path) => !path.startsWith("/v1/spot"))).toEqual([]);
    expect(code, "pages, of lists alone").not.toContain("next_cursor");
  });

  test("of REST only holds no mocks and no streams", async () => {
    const code = await bundle("@assay/sdk");
    expect(code).not.toMatch(/mock-request|new WebSocket|event-stream|subscribe/);
  });

  test("with streams for a browser holds the platform's own WebSocket in place of ws", async () => {
    const code = await bundle("@assay/sdk/stream");
    expect(code).toContain("Browser clients must use the native WebSocket object");
    expect(code).not.toMatch(/Sec-WebSocket-Key|maxPayload/i);
  });
});
