/** The command without a service to test: its arguments, its exit codes, and services that are none. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { DEFAULT_CATALOG, TIER_NAMES } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { readArguments } from "./arguments.ts";
import { contractTest } from "./contract-test.ts";

const run = async (...args: string[]) => {
  const said = { out: "", err: "" };
  const code = await contractTest(args, {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
  });
  return { code, ...said };
};

const URL_ = "http://127.0.0.1:9";
const SECRET = "assay_live_thisIsNobodysKeyButItMustNotBeShown12";

describe("wrong arguments", () => {
  test.each([
    ["nothing at all", [], /required option '--base-url/],
    ["no address", ["--base-url", "prices"], /must be an http or https address/],
    ["another protocol", ["--base-url", "ftp://prices.example.com"], /must be an http or https address/],
    ["a password in the address", ["--base-url", "http://me:pw@prices.example.com"], /must not carry a user name/],
    ["a query in the address", ["--base-url", "http://prices.example.com/?a=1"], /must end with its path/],
    ["a key without its tier", ["--base-url", URL_, "--key", SECRET], /must be TIER=KEY/],
    [
      "an unknown tier",
      ["--base-url", URL_, "--key", `gold=${SECRET}`],
      /must be one of free, basic, physical, pro, realtime_pro/,
    ],
    ["an empty key", ["--base-url", URL_, "--key", "pro="], /key of pro is empty/],
    ["a tier twice", ["--base-url", URL_, "--key", `pro=${SECRET}`, "--key", "pro=b"], /tier pro is given twice/],
    ["an unknown route", ["--base-url", URL_, "--only", "bars.lst"], /must be one of system\.health, .*bars\.list.*, service/],
    ["no number", ["--base-url", URL_, "--seed", "abc"], /whole number/],
    ["no runs", ["--base-url", URL_, "--runs", "0"], /whole number from 1/],
    ["a negative wait", ["--base-url", URL_, "--max-wait=-1"], /whole number from 0/],
    ["an unknown option", ["--base-url", URL_, "--keys", "x"], /unknown option '--keys'/],
    ["an option run together with its key", ["--base-url", URL_, `--keypro=${SECRET}`], /unknown option/],
    ["a stray word", ["--base-url", URL_, SECRET], /too many arguments/],
  ])("end with 2 and say what is wrong: %s", async (_, args, message) => {
    const { code, out, err } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
    expect(err).not.toContain(SECRET);
  });

  test("are none when help is asked for", async () => {
    const { code, out, err } = await run("--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const option of [
      "--base-url",
      "--key",
      "--junit",
      "--seed",
      "--runs",
      "--only",
      "--json",
      "--max-wait",
      "--allow-key-rotation",
    ]) {
      expect(out).toContain(option);
    }
    expect(out).toMatch(/Exit status: 0 .* 1 .* 2 /);
  });
});

describe("arguments", () => {
  const read = (...args: string[]) => readArguments(args, { out: () => {}, err: () => {} });

  test("are read with their defaults; an address loses its slashes at the end", () => {
    const { seed, ...given } = read("--base-url", "https://prices.example.com/metals//");
    expect(given).toEqual({
      baseUrl: "https://prices.example.com/metals",
      keys: [],
      only: [],
      runs: 10,
      maxWaitMs: 120_000,
      allowKeyRotation: false,
      junit: undefined,
      json: false,
    });
    expect(Number.isInteger(seed)).toBe(true);
  });

  test("may repeat keys and routes; a key may hold an equals sign", () => {
    const given = read(
      "--base-url",
      URL_,
      "--key",
      "free=a=b",
      "--key",
      "pro=c",
      "--only",
      "bars.list",
      "--only",
      "service",
      "--seed",
      "7",
    );
    expect(given).toMatchObject({
      keys: [
        { tier: "free", key: "a=b" },
        { tier: "pro", key: "c" },
      ],
      only: ["bars.list", "service"],
      seed: 7,
    });
  });
});

const serving = async <T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> => {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  try {
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

describe("a service that cannot be tested", () => {
  test("is told of in one line when nobody listens", async () => {
    const url = await serving(
      () => {},
      async (free) => free,
    );
    const { code, out, err } = await run("--base-url", url);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^http:\S+ cannot be reached: [^\n]*ECONNREFUSED[^\n]*\n$/);
  });

  test("is told of in one line when it is another service", async () => {
    const { code, err } = await serving(
      (_, response) => response.writeHead(404).end("Not Found"),
      (url) => run("--base-url", url),
    );
    expect(code).toBe(2);
    expect(err).toMatch(/^http:\S+ answers \/v1\/health with 404: there is no Assay service\n$/);
  });

  const answers =
    (usage: number, body: unknown): RequestListener =>
    ({ url }, response) => {
      const isUsage = url === "/v1/account/usage";
      const tiers = TIER_NAMES.map((name) => DEFAULT_CATALOG.tiers[name]);
      response.writeHead(isUsage ? usage : 200, { "content-type": "application/json" });
      response.end(
        JSON.stringify(isUsage ? body : url === "/v1/metadata/tiers" ? tiers : { checked_at: new Date().toISOString() }),
      );
    };

  test("is told of in one line when it refuses a key, and when a key is of another tier; the key is not shown", async () => {
    const refused = await serving(answers(401, { error: "invalid_api_key" }), (url) =>
      run("--base-url", url, "--key", `pro=${SECRET}`),
    );
    expect(refused).toEqual({ code: 2, out: "", err: "--key pro=…: the service does not accept this key\n" });
    const other = await serving(answers(200, { tier: "free" }), (url) => run("--base-url", url, "--key", `pro=${SECRET}`));
    expect(other).toEqual({ code: 2, out: "", err: "--key pro=…: the service says this key is of tier free\n" });
  });
});
