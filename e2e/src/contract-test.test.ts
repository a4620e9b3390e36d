/**
 * The contract test command against a real service that satisfies the contract, and against broken ones. Each run goes through a
 * proxy, so that it has an address, and with it an allowance, of its own.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { contract, route, TIER_NAMES } from "@assay/contract";
import { contractTest, EVERY_ROUTE, namedRoutes, runContractTest } from "@assay/contract-test";
import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type Breakage, startProxy } from "./broken-service/breaking-proxy.ts";
import { failed, given, options, SEED, startGenerous } from "./harness/conformance.ts";
import { type Folder, ROOT, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { endOf, type Service, spawnProgram } from "./harness/service.ts";

const COMMAND = "packages/contract-test/dist/command.js";
const WITHIN_MS = 550_000;

let folder: Folder;
let service: Service;
let keys: TierKeys;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startGenerous(folder);
  keys = await readDemoKeys(join(folder.path, "data"));
});
afterAll(async () => {
  await service?.stop("SIGKILL");
  await folder?.remove();
});

/** The address of a proxy that lasts as long as the test. */
const proxied = async (breakage: Breakage = {}): Promise<string> => {
  const { url, close } = await startProxy(service.url, breakage);
  onTestFinished(close);
  return url;
};

const command = async (...args: string[]) => {
  const said = { stdout: "", stderr: "" };
  const code = await contractTest(["--seed", String(SEED), ...args], {
    out: (text) => {
      said.stdout += text;
    },
    err: (text) => {
      said.stderr += text;
    },
  });
  return { code, ...said };
};

const everyKey = (): string[] => TIER_NAMES.flatMap((tier) => ["--key", `${tier}=${keys[tier]}`]);
describe("a route without checks of its own", () => {
  it("is covered: its examples, inputs, gates, headers and document", async () => {
    const thing = route({
      method: "GET",
      path: "/v1/things/{id}",
      tag: "Things",
      summary: "A thing",
      description: "A thing.",
      access: { auth: "required", tier: "pro" },
      input: z.object({
        id: z
          .string()
          .max(8)
          .meta({ examples: ["a"] }),
        size: z.int().min(1).max(9).default(3),
      }),
      output: z.object({}),
      examples: { thing: { summary: "A thing", value: {} } },
      errors: ["service_unavailable"],
    });
    const report = await runContractTest(options(await proxied(), "things.get", given(keys, "free", "pro")), {
      ...contract,
      things: { get: thing },
    });
    expect(failed(report)).toEqual(
      expect.arrayContaining([
        "examples: the contract's examples are answered",
        "valid input: sensible requests are answered",
        "invalid input: out of range",
        "access: without a key",
        "access: tier free",
        "access: tier pro",
        "responses: status and code",
        "HTTP: other methods",
        "document: OpenAPI",
      ]),
    );
  });
});

describe("a service that is broken on purpose", () => {
  it("ends the command with 1, and reports what was sent, what was received and what the contract says", async () => {
    const url = await proxied({
      answer: ({ headers }) => {
        headers["access-control-allow-origin"] = "*";
      },
    });
    const args = ["--base-url", url, "--key", `pro=${keys.pro}`, "--only", "carat.get", "--runs", "1"];
    const { code, stdout } = await command(...args);
    expect(code).toBe(1);
    expect(stdout).toContain(`seed ${SEED}`);
    expect(stdout).toContain(
      "FAILED carat.get, responses: no CORS\n  there is access-control-allow-origin\n    contract:  no response has CORS",
    );
    expect(stdout).toMatch(/ {4}sent: {6}curl -sS -i --path-as-is 'http:\S+\/v1\/carat/);
    expect(stdout).toMatch(/ {4}received: {2}\d{3} \| content-type: application\/json/);
    expect(stdout).not.toContain(keys.pro);
    const json = await command(...args, "--json");
    expect(json.code).toBe(1);
    expect(failed(JSON.parse(json.stdout))).toEqual(["responses: no CORS"]);
  });

  it("that goes away in the middle ends the command with 1, and what was found by then is reported", async () => {
    let answers = 0;
    const url = await proxied({
      answer: ({ headers }) => {
        answers += 1;
        if (answers > 20) throw new Error("gone");
        headers["access-control-allow-origin"] = "*";
      },
    });
    const junit = join(folder.path, "gone.xml");
    const args = ["--base-url", url, "--key", `pro=${keys.pro}`, "--only", "bars.list", "--junit", junit];
    const { code, stdout, stderr } = await command(...args);
    expect(code, stdout).toBe(1);
    expect(stdout).toContain("FAILED bars.list, responses: no CORS\n  there is access-control-allow-origin\n");
    expect(stdout).toMatch(/\nnot checked: the service stopped responding: [^\n]+\n {2}bars\.list, /);
    expect(stdout).toMatch(/\n\d+ passed, [1-9]\d* failed, [1-9]\d* not checked\n$/);
    expect(stderr).toMatch(/^http:\S+ stopped responding: [^\n]+; the report covers the checks before that\n$/);
    expect(await readFile(junit, "utf8")).toContain("no CORS");
  });
});

describe("a service that keeps the contract", () => {
  it("passes with something left unchecked, which is counted, and fails because of it only with --fail-on-unchecked", async () => {
    const url = await proxied();
    const args = ["--base-url", url, "--key", `pro=${keys.pro}`, "--only", "account.mintKey"];
    const { code, stdout } = await command(...args, "--json");
    const { counts, results } = JSON.parse(stdout);
    expect({ code, failed: counts.failed }, stdout).toEqual({ code: 0, failed: 0 });
    expect(counts.notChecked).toBeGreaterThan(0);
    expect(counts.passed + counts.notChecked).toBe(results.length);

    const strict = await command(...args, "--fail-on-unchecked");
    expect(strict.code, strict.stdout).toBe(3);
    expect(strict.stderr).toBe(`--fail-on-unchecked: ${counts.notChecked} of ${results.length} checks could not be run\n`);
    const complete = await command("--base-url", url, "--only", "system.health", "--fail-on-unchecked");
    expect({ code: complete.code, stderr: complete.stderr }, complete.stdout).toEqual({ code: 0, stderr: "" });
  });

  it("is not blamed for what its status says is still being made, and is where nothing is", async () => {
    const lacking = (pending: number): Breakage => ({
      ask: (request) => {
        request.path = request.path.replace(/^(\/v1\/download\?.*year=)\d+/, "$12001");
      },
      answer: (answered, { path }) => {
        if (path === "/v1/status")
          answered.body = answered.body.replace(/"pending":(\d+|null),"built"/, `"pending":${pending},"built"`);
      },
    });
    const missing = async (pending: number) => {
      const { results } = await runContractTest(options(await proxied(lacking(pending)), "downloads.link", given(keys, "pro")));
      return results.find(({ title }) => title === "tier pro");
    };
    expect(await missing(3)).toMatchObject({
      status: "not checked",
      reason: "3 archives are still to be built, says GET /v1/status",
    });
    expect(await missing(0)).toMatchObject({ status: "failed" });
  });

  it("is not blamed for figures that moved between three requests and moved back: that check is left unchecked", async () => {
    let asOfSeconds = 0;
    const url = await proxied({
      answer: (answered) => {
        const isTable = answered.headers["content-type"]?.startsWith("text/csv");
        if (isTable) answered.body = answered.body.replaceAll(/\d\r\n/g, "\r\n");
        asOfSeconds += 1;
        const asOf = new Date(asOfSeconds * 1_000).toISOString();
        answered.body = answered.body.replace(/"as_of":"[^"]+"/, `"as_of":"${asOf}"`);
      },
    });
    const { results } = await runContractTest({ ...options(url, "publicHistory.xau", []), runs: 1 });
    const found = results.find(({ title }) => title === "csv has the same content as JSON");
    expect(found).toMatchObject({ status: "not checked", reason: expect.stringContaining("changed between the two requests") });
  });

  it("passes every check for callers of all tiers and without a key, as a program, and no key is printed", async () => {
    let asked = 0;
    // Each request from another address: none waits for the next minute's allowance.
    const url = await proxied({
      ask: ({ headers }) => {
        asked += 1;
        headers["x-forwarded-for"] = `203.0.${asked >> 8}.${asked & 255}`;
      },
    });
    const junit = join(folder.path, "whole.xml");
    const args = [
      "--base-url",
      url,
      ...everyKey(),
      "--allow-key-rotation",
      "--wait",
      "240",
      "--seed",
      String(SEED),
      "--runs",
      "1",
      "--junit",
      junit,
    ];
    const run = spawnProgram(ROOT, {}, [COMMAND, ...args]);
    const { code } = await endOf(run, WITHIN_MS);
    const stdout = run.stdout();
    expect({ code, stderr: run.stderr() }, stdout).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^(waiting up to 240 seconds: [^\n]+ still to be (built|filled in)\n)?$/),
    });
    const [, passed, left] = /\n(\d{3,}) passed, 0 failed, (\d+) not checked\n$/.exec(stdout) ?? [];
    for (const { name } of namedRoutes(EVERY_ROUTE)) expect(stdout).toContain(name);

    // Prices that tick between any two requests leave only this unchecked: the route suite, whose prices stand still, checks it.
    const reasons = [...stdout.matchAll(/^not checked: (.*)$/gm)].map(([, reason]) => reason);
    for (const reason of reasons) expect(reason).toMatch(/changed between the (two )?requests every time$/);
    expect([...stdout.matchAll(/^ {2}\S+, invariants: /gm)]).toHaveLength(Number(left));

    const xml = await readFile(junit, "utf8");
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(xml);
    expect(Number(testsuites["@_tests"])).toBe(Number(passed) + Number(left));
    for (const text of [stdout, xml]) {
      for (const tier of TIER_NAMES) expect(text).not.toContain(keys[tier]);
      expect(text).not.toMatch(/assay_live_[0-9A-Za-z]{20}/);
    }
  });
});
