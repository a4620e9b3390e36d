/**
 * The packed SDK on Node 20.10, 22 and 24, Bun, Deno and workerd from the npm registry, never dependencies of the repository; those
 * that do not install are reported and skipped.
 */
import { execFile } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tick } from "./testing/frames.ts";
import { installPacked, type Project } from "./testing/packed.ts";
import { streamService } from "./testing/stream-service.ts";

const run = promisify(execFile);
const INSTALL_WITHIN_MS = 300_000;

/** An installed runtime, by the program that runs scripts in it. */
interface Runtime {
  run(cwd: string, ...args: string[]): Promise<string>;
  readonly folder: string;
}

/** A runtime's npm packages, and the path of its program. */
interface RuntimeSource {
  readonly packages: readonly string[];
  /** Relative to `node_modules`; the first that exists. */
  readonly programs: readonly string[];
  /** Arguments before the script. */
  readonly args: readonly string[];
}

const { platform, arch } = process;
const musl = platform === "linux" ? "-glibc" : "";
const node = (version: string): RuntimeSource => ({
  packages: [`node-${platform}-${arch}@${version}`],
  programs: [`node-${platform}-${arch}/bin/node`],
  args: [],
});

/** Every runtime except the one running the tests. */
const RUNTIME_SOURCES: Readonly<Record<string, RuntimeSource>> = {
  "Node 20.10": node("20.10.0"),
  "Node 22": node("22"),
  "Node 24": node("24"),
  Bun: { packages: ["bun@1"], programs: [`@oven/bun-${platform}-${arch}/bin/bun`], args: ["run"] },
  Deno: { packages: ["deno@2"], programs: [`@deno/${platform}-${arch}${musl}/deno`], args: ["run", "-A"] },
  workerd: { ...node("22"), packages: [...node("22").packages, "miniflare@4"] },
};

const firstOf = async (paths: readonly string[]): Promise<string> => {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new Error(`no program at ${paths.join(", ")}`);
};

/**
 * Installs a runtime.
 * @param folder an empty folder
 * @throws when the registry does not answer, or has no program for this machine
 */
const installRuntime = async (source: RuntimeSource, folder: string): Promise<Runtime> => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--force", ...source.packages];
  await run("npm", args, { cwd: folder, timeout: INSTALL_WITHIN_MS });
  const program = await firstOf(source.programs.map((path) => join(folder, "node_modules", path)));
  return {
    folder,
    run: async (cwd, ...given) => {
      const env = { ...process.env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
      const { stdout } = await run(program, [...source.args, ...given], { cwd, env, timeout: 60_000 });
      return stdout.trimEnd();
    },
  };
};

const NAMES = Object.keys(RUNTIME_SOURCES);

/** What every runtime does: a price, a refusal, a receipt and a forged one, both transports, and an unavailable service. */
const PROGRAM = `
import { verifyReceipt } from "@assay/sdk/receipts";
import { Assay, Http403Error, PublishedDecimal } from "@assay/sdk/stream";

export const use = async (baseUrl) => {
  const assay = new Assay({ baseUrl, apiKey: "assay_live_k", logLevel: "off", maxRetries: 0 });
  const { price } = await assay.spot.get("gold");
  const lines = [price.text, price instanceof PublishedDecimal, price.times(2).toFixed(2)];
  try {
    lines.push(price < price);
  } catch (error) {
    lines.push(error.name);
  }
  const error = await assay.spot.get("silver").catch((caught) => caught);
  lines.push(error.name, error instanceof Http403Error, error.requiredTier);
  lines.push((await (await assay.spot.get("gold").asResponse()).json()).price);
  const jwks = await (await fetch(baseUrl + "/.well-known/jwks.json")).json();
  const receipt = await assay.spot.receipt("gold");
  lines.push((await verifyReceipt(receipt, { jwks, issuer: "https://prices.example.com" })).body.price);
  const [head, claims, signature] = receipt.split(".");
  const dearer = btoa(atob(claims).replace("4003.20", "9003.20")).replace(/=+$/, "");
  lines.push(await verifyReceipt([head, dearer, signature].join("."), { jwks }).catch(({ name, message }) => name + ": " + message));
  for (const transport of ["websocket", "sse"]) {
    for await (const event of assay.stream.subscribe({ transport, symbols: ["XAU-USD-SPOT"] })) {
      if (event.type === "tick") {
        lines.push(transport, event.seq, event.price.text);
        break;
      }
    }
  }
  const away = new Assay({ baseUrl: "http://127.0.0.1:9", apiKey: "k", logLevel: "off" });
  try {
    for await (const _ of away.stream.subscribe({ symbols: ["XAU-USD-SPOT"], maxReconnects: 0 }));
  } catch (error) {
    lines.push(error.name);
  }
  return lines.join(" ");
};
`;
const EXPECTED =
  "4003.20 true 8006.40 TypeError PlanGatedError true pro 4003.20 4003.20 ReceiptError: the receipt was changed after it was signed websocket 41 4003.0041 sse 41 4003.0041 StreamLostError";
const MAIN = `
import { Assay } from "@assay/sdk";
import { use } from "./program.mjs";
const baseUrl = process.env.SERVICE ?? process.argv.at(-1);
const assay = new Assay({ baseUrl, apiKey: "assay_live_k", logLevel: "off", maxRetries: 0 });
const { bytes } = await assay.downloads.save({ symbol: "GC", year: 2025 }, "saved.parquet");
console.log(await use(baseUrl), "saved", bytes);
process.exit(0);
`;
const SAVED = " saved 7";
const WORKER =
  'import { use } from "./program.mjs";\nexport default { fetch: async (request) => new Response(await use(await request.text())) };\n';
const WORKER_HOST = `
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
const { Miniflare } = createRequire(process.argv[2] + "/package.json")("miniflare");
const worker = new Miniflare({ modules: true, script: await readFile("worker.bundle.mjs", "utf8"), compatibilityDate: "2025-09-01" });
const response = await worker.dispatchFetch("http://worker.test/", { method: "POST", body: process.argv[3] });
console.log(await response.text());
await worker.dispose();
`;

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const KEYS = { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one" }] };

/** A receipt, signed by Node's own cryptography. */
const signed = (body: unknown): string => {
  const claims = {
    iss: "https://prices.example.com",
    iat: 1_795_183_407,
    request_id: "r-1",
    route: "GET /v1/spot/{symbol}",
    body,
  };
  const parts = [{ alg: "EdDSA", kid: "one" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return [...parts, sign(null, Buffer.from(parts.join(".")), privateKey).toString("base64url")].join(".");
};

const service = () =>
  streamService({
    onPeer: (peer) => {
      peer.welcome();
      peer.send(tick(41));
    },
    onFeed: (feed) => {
      feed.open();
      feed.tick(tick(41));
    },
  }).then((made) => {
    made.rest = ({ url = "" }, response) => {
      const gold = {
        symbol: "XAU",
        quote_currency: "USD",
        unit: "troy_ounce",
        contract_type: "spot",
        is_stale: false,
        price: "4003.20",
      };
      if (url.endsWith("format=jws")) return response.writeHead(200, { "content-type": "application/jose" }).end(signed(gold));
      if (url === "/file") return response.end("PARQUET");
      if (url.startsWith("/v1/download")) return response.writeHead(307, { location: `${made.url}/file` }).end();
      const isKeys = url === "/.well-known/jwks.json";
      const isGold = url.startsWith("/v1/spot/gold");
      response.writeHead(isKeys || isGold ? 200 : 403, { "content-type": "application/json" });
      const refusal = { error: "plan_gated", message: "No.", tier: "free", required_tier: "pro" };
      response.end(JSON.stringify(isKeys ? KEYS : isGold ? gold : refusal));
    };
    return made;
  });

describe("the packed SDK", () => {
  let project: Project;
  let folder: string;
  const installed = new Map<string, Runtime>();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-runtimes-"));
    project = await installPacked(["msw"]);
    await project.write("program.mjs", PROGRAM);
    await project.write("main.mjs", MAIN);
    await project.write("worker.mjs", WORKER);
    await project.write("worker-host.mjs", WORKER_HOST);
    for (const [name, source] of Object.entries(RUNTIME_SOURCES)) {
      try {
        installed.set(name, await installRuntime(source, join(folder, name.replace(" ", "-"))));
      } catch (error) {
        console.info(`left out: ${name}, which does not install here: ${error instanceof Error ? error.message : error}`);
      }
    }
  }, 900_000);
  afterAll(async () => {
    await project?.remove();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  test.for(NAMES.filter((name) => name !== "workerd"))("answers and streams on %s", async (name, context) => {
    const runtime = installed.get(name);
    if (runtime === undefined) return context.skip(`${name} does not install here`);
    const { url } = await service();
    expect(await runtime.run(project.folder, "main.mjs", url)).toBe(`${EXPECTED}${SAVED}`);
  });

  test("answers and streams on workerd", async (context) => {
    const runtime = installed.get("workerd");
    if (runtime === undefined) return context.skip("workerd does not install here");
    const build = await rolldown({
      input: join(project.folder, "worker.mjs"),
      cwd: project.folder,
      platform: "browser",
      logLevel: "silent",
    });
    const { output } = await build.generate({ format: "esm", codeSplitting: false });
    await build.close();
    const [{ code }] = output;
    await project.write("worker.bundle.mjs", code);
    const { url } = await service();
    expect(await runtime.run(project.folder, "worker-host.mjs", runtime.folder, url)).toBe(EXPECTED);
  });

  test.for(["Node 22", "Node 24"])("mocks streams on %s", async (name, context) => {
    const runtime = installed.get(name);
    if (runtime === undefined) return context.skip(`${name} does not install here`);
    const readme = await readFile(join(project.folder, "node_modules/@assay/sdk/README.md"), "utf8");
    const [, code = ""] = /### Streams in tests[\s\S]*?^```ts\n([\s\S]*?)^```/m.exec(readme) ?? [];
    await project.write("readme-streams.mjs", code);
    expect(await runtime.run(project.folder, "readme-streams.mjs")).toBe("tick 4003.20\ngap 2 to 4\ntick 4004.10");
  });
});
