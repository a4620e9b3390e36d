/** The command without a service to test: its arguments, its exit codes, and servers that are not Assay. */
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CATALOG, TIER_NAMES, VERSION } from "@assay/contract";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readArguments } from "./arguments.ts";
import { contractTest } from "./contract-test.ts";
import type { Report } from "./report/outcome.ts";

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

const temporaryFolder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), "assay-contract-test-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
};

const URL_ = "http://127.0.0.1:9";
const SECRET = "assay_live_thisIsNobodysKeyButItMustNotBeShown12";

describe("wrong arguments", () => {
  test.each([
    ["nothing at all", [], /required option '--base-url/],
    ["no address", ["--base-url", "prices"], /must be an http or https address/],
    ["another protocol", ["--base-url", "ftp://prices.example.com"], /must be an http or https address/],
    ["a password in the address", ["--base-url", "http://me:pw@prices.example.com"], /must not contain a user name/],
    ["a query in the address", ["--base-url", "http://prices.example.com/?a=1"], /must not contain a query or a fragment/],
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
    ["an unknown option, and nothing else", ["--nope"], /unknown option '--nope'/],
    ["an unknown option", ["--base-url", URL_, "--keys", "x"], /unknown option '--keys'/],
    ["an option run together with its key", ["--base-url", URL_, `--keypro=${SECRET}`], /unknown option/],
    ["a stray word", ["--base-url", URL_, SECRET], /too many arguments/],
  ])("end with 2 and say what is wrong: %s", async (_, args, message) => {
    const { code, out, err } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
    expect(err).not.toContain(SECRET);
  });

  test("are accepted when help is requested", async () => {
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
      "--fail-on-unchecked",
      "--version",
      "--max-wait",
      "--wait",
      "--allow-key-rotation",
    ]) {
      expect(out).toContain(option);
    }
    expect(out).toMatch(/Exit status: 0 .* 1 .* 2 .* 3 /);
  });

  test("are accepted when the version is requested", async () => {
    expect(await run("--version")).toEqual({ code: 0, out: `${VERSION}\n`, err: "" });
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
      waitMs: 0,
      allowKeyRotation: false,
      junit: undefined,
      json: false,
      failOnUnchecked: false,
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
  test("is reported in one line when nothing listens", async () => {
    const url = await serving(
      () => {},
      async (free) => free,
    );
    const { code, out, err } = await run("--base-url", url);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^http:\S+ cannot be reached: [^\n]*ECONNREFUSED[^\n]*\n$/);
  });

  const HEALTH = { status: "ok", service: "assay", version: VERSION };
  const html: RequestListener = (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Hello</p>");
  const json =
    (body: unknown): RequestListener =>
    (_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));

  test.each<[string, RequestListener, RegExp]>([
    ["a page for everything", html, /was answered 200 text\/html$/],
    ["nothing found", (_, response) => response.writeHead(404).end("Not Found"), /was answered 404$/],
    ["another place", (_, response) => response.writeHead(301, { location: "/login" }).end(), /was answered 301 to \/login$/],
    ["no name", json({ status: "ok" }), /was answered 200 application\/json$/],
    ["another name", json({ ...HEALTH, service: "other" }), /was answered 200 application\/json of service "other"$/],
    [
      "the name on a refusal",
      (_, response) => response.writeHead(503).end(JSON.stringify(HEALTH)),
      /was answered 503 of service "assay"$/,
    ],
  ])("gets one request and is reported in one line when it is something else: %s", async (_, listener, came) => {
    const asked: string[] = [];
    const { code, out, err } = await serving(
      (request, response) => {
        asked.push(`${request.method} ${request.url}`);
        listener(request, response);
      },
      (url) => run("--base-url", url, "--key", `pro=${SECRET}`),
    );
    expect({ code, out, asked }).toEqual({ code: 2, out: "", asked: ["GET /v1/health"] });
    expect(err).toMatch(/^there is no Assay service at http:\S+: GET \/v1\/health was answered [^\n]+\n$/);
    expect(err.trimEnd()).toMatch(came);
  });

  test("is reported with the intended address when it included /v1", async () => {
    const { code, err } = await serving(html, (url) => run("--base-url", `${url}/v1`));
    expect(code).toBe(2);
    expect(err).toMatch(/; --base-url is the part before \/v1, try http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  test("is waited for with a message when it accepts the connection and says nothing", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { code, out, err } = await serving(
        (request) => {
          vi.advanceTimersByTime(5_000);
          request.socket.destroy();
        },
        (url) => run("--base-url", url),
      );
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toMatch(/^http:\S+ has not responded yet; giving up after 30 seconds\nhttp:\S+ cannot be reached: [^\n]+\n$/);
    } finally {
      vi.useRealTimers();
    }
  });

  test("gets no request when the report could not be written", async () => {
    const asked: string[] = [];
    const folder = await temporaryFolder();
    for (const path of [folder, join(folder, "none", "junit.xml")]) {
      const { code, out, err } = await serving(
        ({ url = "" }) => asked.push(url),
        (url) => run("--base-url", url, "--junit", path),
      );
      expect({ code, out, asked }).toEqual({ code: 2, out: "", asked: [] });
      expect(err).toMatch(/^\/\S+ cannot be written: [^\n]+\n$/);
    }
  });

  test("leaves the report's file as it was", async () => {
    const folder = await temporaryFolder();
    const old = join(folder, "old.xml");
    await writeFile(old, "<old/>");
    for (const path of [old, join(folder, "new.xml")]) await serving(html, (url) => run("--base-url", url, "--junit", path));
    expect(await readFile(old, "utf8")).toBe("<old/>");
    expect(await readdir(folder)).toEqual(["old.xml"]);
  });

  const answers =
    (usage: number, body: unknown): RequestListener =>
    ({ url }, response) => {
      const isUsage = url === "/v1/account/usage";
      const tiers = TIER_NAMES.map((name) => DEFAULT_CATALOG.tiers[name]);
      response.writeHead(isUsage ? usage : 200, { "content-type": "application/json" });
      response.end(
        JSON.stringify(
          isUsage ? body : url === "/v1/metadata/tiers" ? tiers : { ...HEALTH, checked_at: new Date().toISOString() },
        ),
      );
    };

  test("is reported in one line when it refuses a key, and when a key is of another tier; the key is not shown", async () => {
    const refused = await serving(answers(401, { error: "invalid_api_key" }), (url) =>
      run("--base-url", url, "--key", `pro=${SECRET}`),
    );
    expect(refused).toEqual({ code: 2, out: "", err: "--key pro=…: the service does not accept this key\n" });
    const other = await serving(answers(200, { tier: "free" }), (url) => run("--base-url", url, "--key", `pro=${SECRET}`));
    expect(other).toEqual({ code: 2, out: "", err: "--key pro=…: the service says this key is of tier free\n" });
  });
});

/** Claims to be Assay, and answers everything else with an HTML page. */
const onlyByName: RequestListener = ({ url }, response) => {
  const isHealth = url === "/v1/health";
  response.writeHead(200, { "content-type": isHealth ? "application/json" : "text/html" });
  response.end(isHealth ? JSON.stringify({ status: "ok", service: "assay", version: VERSION }) : "<p>Hello</p>");
};

/** One of each kind: a list, one thing, a table, pages, a computation, a change, a stream, and what belongs to no route. */
const KINDS = ["prices.list", "spot.get", "bars.list", "quotes.create", "account.mintKey", "streams.prices", "service"];

describe("a service whose allowance is spent", () => {
  const spent: RequestListener = ({ url = "" }, response) => {
    const isOpen = url === "/v1/health";
    const body = isOpen ? { status: "ok", service: "assay", version: VERSION } : { error: "quota_exceeded", request_id: "x" };
    const retry = { "retry-after": "2592000", "x-should-retry": "false" };
    response.writeHead(isOpen ? 200 : 429, { "content-type": "application/json", ...(isOpen ? {} : retry) });
    response.end(JSON.stringify(body));
  };

  test("cannot be checked: the report says so of every check, and the command ends with 3", async () => {
    const junit = join(await temporaryFolder(), "spent.xml");
    const { code, out, err } = await serving(spent, (url) =>
      run("--base-url", url, "--key", `pro=${SECRET}`, "--only", "convert.get", "--json", "--junit", junit),
    );
    const { counts, results, spent: reasons } = JSON.parse(out);
    const unmet = results.filter(({ status }: { status: string }) => status === "failed");
    expect({ code, unmet }, err).toEqual({ code: 3, unmet: [] });
    expect(reasons).toEqual(["allowance of light", "allowance of tier pro"]);
    expect(counts.notChecked).toBeGreaterThan(5);
    expect(err).toMatch(/^\d+ of \d+ checks could not be run\n$/);
    expect(await readFile(junit, "utf8")).toContain('<skipped message="allowance of tier pro"');
  });
});

describe("a service that answers everything else with a page", () => {
  test("passes no check of examples, inputs, gates or invariants, whatever the kind of route", async () => {
    const { code, out } = await serving(onlyByName, (url) => {
      const only = KINDS.flatMap((name) => ["--only", name]);
      return run("--base-url", url, "--key", `pro=${SECRET}`, "--runs", "2", "--json", ...only);
    });
    const { results } = JSON.parse(out) as Report;
    const passed = results.filter(({ status }) => status === "passed");
    expect(code).toBe(1);
    expect(new Set(results.map(({ route }) => route))).toEqual(new Set(KINDS));
    expect(new Set(passed.map(({ group }) => group))).toEqual(new Set(["responses"]));
    expect(passed.map(({ title }) => title)).not.toContain("figures agree");
  });
});

test("a seed repeats the requests of an earlier run", async () => {
  const requested = async (seed: string): Promise<string[]> => {
    const paths: string[] = [];
    const listener: RequestListener = (request, response) => {
      paths.push(`${request.method} ${request.url}`);
      onlyByName(request, response);
    };
    await serving(listener, (url) => run("--base-url", url, "--only", "convert.get", "--runs", "5", "--seed", seed));
    return paths;
  };
  const [one, same, other] = [await requested("7"), await requested("7"), await requested("8")];
  expect(one.length).toBeGreaterThan(20);
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
});
