/**
 * Assay behind nginx and Caddy, with the configurations that `deploy` ships: two API, two stream and two writer processes over
 * PostgreSQL and Redis, each under its own role; TLS; at the root and below a path.
 */
import { readFile } from "node:fs/promises";
import { TIER_NAMES, type TierName } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ask } from "./harness/call.ts";
import { type Deployment, type Front, startDeployment } from "./harness/deployment.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, ROOT, temporaryFolder } from "./harness/files.ts";
import { type Follower, follow, summary, untilSeq } from "./harness/follower.ts";
import {
  freePort,
  makeCertificate,
  missingFor,
  PROXIES,
  type ProxyName,
  type RunningProxy,
  startProxyServer,
} from "./harness/proxies.ts";
import { askTls, openAnswer, type TlsAsking } from "./harness/raw-http.ts";
import { hasServers, sayWhySkipped } from "./harness/servers.ts";
import { endOf, spawnProgram } from "./harness/service.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 900_000 });

const GOLD = "XAU-USD-SPOT";
const OFTEN = { rate_limit_per_minute: 1_000_000, monthly_quota: 10_000_000, max_concurrent_streams: 100 };
/** How many invalid keys an address may try. */
const GUESSES_PER_MINUTE = 20;
const TIERS = {
  ...Object.fromEntries(TIER_NAMES.map((tier) => [tier, OFTEN])),
  keyless: { per_minute: 1_000_000, per_hour: 1_000_000 },
};
/** Smaller than any buffer of a proxy: what arrives before this much was sent was passed on at once. */
const LESS_THAN_A_BUFFER = 4_096;
const CONTRACT_TEST_MS = 600_000;
/** What Docker gives a container to end by itself. */
const MOST_MS_TO_END = 10_000;

interface ContractReport {
  readonly counts: { readonly passed: number; readonly failed: number; readonly notChecked: number };
  readonly results: readonly {
    readonly title: string;
    readonly failures: readonly { readonly what: string; readonly sent: string; readonly cameBack: string }[];
  }[];
}

/** What a proxy answers by itself: a zero byte (nginx) or a broken escape in a path; below a path, Caddy also joins slashes. */
const isOfProxy = (name: ProxyName, sent: string, cameBack: string): boolean => {
  if (name === "nginx")
    return /%(00|[^0-9a-f]|.[^0-9a-f]|$)/i.test(sent) && cameBack.includes('"message":"The request is not valid HTTP."');
  return /%([^0-9a-f]|.[^0-9a-f]|$)/i.test(sent)
    ? cameBack.startsWith("400 | content-type: text/plain")
    : /\/metals\/[^'?]*\/\//.test(sent);
};

sayWhySkipped("Assay behind nginx and Caddy");

const CASES = PROXIES.flatMap((name) => [
  { name, prefix: undefined, title: `behind ${name}` },
  { name, prefix: "/metals", title: `behind ${name}, below a path` },
]);

describe.skipIf(!hasServers)("Assay", { meta: { needs: "TEST_DATABASE_URL or TEST_REDIS_URL is not set" } }, () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startDeployment(TIERS);
  });
  afterAll(() => deployment?.close());

  describe.each(CASES)("$title", ({ name, prefix, title }) => {
    const missing = missingFor(name);
    if (missing.length > 0) console.info(`${title}: skipped, because ${missing.join(" and ")} is not installed`);
    describe.skipIf(missing.length > 0)("works", { meta: { needs: `${missing.join(" and ")} is not installed` } }, () => {
      let folder: Folder;
      let front: Front;
      let proxy: RunningProxy;
      let url: string;
      let ca: string;
      let caFile: string;
      let key: string;
      // An organisation has one tier, and may have 20 keys.
      const mint = (tier: TierName): Promise<string> => deployment.mint(tier, `${tier} ${title}`);
      const call = (path: string, asking: TlsAsking = {}) => askTls(`${url}${path}`, ca, asking);
      const withKey = (more: Record<string, string> = {}) => ({ headers: { authorization: `Bearer ${key}`, ...more } });

      beforeAll(async () => {
        folder = await temporaryFolder();
        const certificate = await makeCertificate(folder.path);
        caFile = certificate.cert;
        ca = await readFile(caFile, "utf8");
        const port = await freePort();
        url = `https://localhost:${port}${prefix ?? ""}`;
        front = await deployment.openFront({ PUBLIC_URL: url });
        const apis = front.apis.map(({ address }) => address);
        const streams = front.streams.map(({ address }) => address);
        proxy = await startProxyServer(name, { folder: folder.path, certificate, port, apis, streams, prefix });
        key = await mint("realtime_pro");
      });
      afterAll(async () => {
        await proxy?.stop();
        await front?.close();
        await folder?.remove();
      });

      it("passes the contract test, except for paths that the proxy itself refuses", { timeout: CONTRACT_TEST_MS }, async () => {
        const keys = await Promise.all(TIER_NAMES.map(async (tier) => `${tier}=${await mint(tier)}`));
        const args = ["--base-url", url, ...keys.flatMap((each) => ["--key", each]), "--allow-key-rotation", "--json"];
        const command = "packages/contract-test/bin/assay-contract-test.mjs";
        const run = spawnProgram(ROOT, { NODE_EXTRA_CA_CERTS: caFile }, [command, ...args]);
        await endOf(run, CONTRACT_TEST_MS - 10_000);
        const { counts, results }: ContractReport = JSON.parse(run.stdout());
        const failures = results.flatMap((result) => result.failures.map((failure) => ({ ...failure, check: result.title })));
        // Those beyond the first sixteen of a check are only counted.
        const listed = failures.filter(({ what }) => !/^and \d+ more of this kind$/.test(what));
        const own = listed.filter(({ sent, cameBack }) => !isOfProxy(name, sent, cameBack));
        console.info(`${title}: ${JSON.stringify(counts)}, ${listed.length - own.length} answers were the proxy's own`);
        expect(own).toEqual([]);
        // On a busy machine answers may change between the two requests that are compared, every time; on a quiet one it is none.
        expect(counts.notChecked).toBeLessThan(counts.passed / 100);
        expect(counts.passed).toBeGreaterThan(800);
      });

      if (prefix !== undefined)
        it("redirects the path without its slash to the console", async () => {
          const { status, headers } = await call("");
          expect({ status, to: new URL(headers.location ?? "", url).href }).toEqual({ status: 308, to: `${url}/` });
          const page = await call("/");
          expect(page).toMatchObject({ status: 200, headers: { "content-type": expect.stringMatching(/^text\/html/) } });
        });

      it("keeps one request id in header, answer and log, the caller's own if it sends one", async () => {
        const asked = await call("/v1/spot/gold", withKey({ "x-request-id": "asked-through-a-proxy" }));
        expect(asked.headers["x-request-id"]).toBe("asked-through-a-proxy");
        const refused = await call("/v1/spot/nothing", withKey());
        expect(refused.status).toBe(400);
        expect(JSON.parse(refused.text).request_id).toBe(refused.headers["x-request-id"]);
        await eventually(
          "both are in the proxy's log",
          () => proxy.log(),
          (log) => log.includes("asked-through-a-proxy") && log.includes(String(refused.headers["x-request-id"])),
        );
      });

      it("uses both API processes and both stream processes", async () => {
        const calls = Array.from({ length: 40 }, () => call("/v1/spot/gold", withKey()));
        expect((await Promise.all(calls)).every(({ status }) => status === 200)).toBe(true);
        for (const { metrics } of front.apis)
          expect((await ask(metrics, "/metrics")).text).toMatch(/^\S*\/v1\/spot\/.*\} [1-9]/m);
        const clients = await follow(8, { urls: [url], key, symbols: [GOLD], ca });
        for (const { metrics } of front.streams)
          expect((await ask(metrics, "/metrics")).text).toMatch(/^assay_stream\w*(\{[^}]*\})? [1-9]/m);
        for (const client of clients) client.close();
      });

      it("counts callers by the address the proxy sees, whatever they claim", async () => {
        const guess = (index: number) =>
          call("/v1/spot/gold", {
            headers: { "x-forwarded-for": `203.0.113.${index}`, authorization: `Bearer assay_live_guess${index}` },
          });
        const statuses: number[] = [];
        // Of so many in two minutes, one has too many. The contract test has guessed from this address as well.
        for (let index = 0; index <= 2 * GUESSES_PER_MINUTE; index += 1) statuses.push((await guess(index)).status);
        expect([401, 429]).toEqual(expect.arrayContaining(statuses));
        expect(statuses).toContain(429);
      });

      it("leaves headers and bodies that are too large to Assay's own answers", async () => {
        const header = await call("/v1/spot/gold", { headers: { "x-long": "x".repeat(9_000) } });
        expect({ status: header.status, error: JSON.parse(header.text).error }).toEqual({ status: 431, error: "bad_request" });
        const body = await call("/v1/account/keys", {
          method: "POST",
          body: JSON.stringify({ name: "x".repeat(70_000) }),
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        });
        expect({ status: body.status, error: JSON.parse(body.text).error }).toEqual({ status: 413, error: "payload_too_large" });
      });

      it("passes Server-Sent Events on as they are sent", async () => {
        const pro = await mint("pro");
        const response = await openAnswer(`${url}/v1/prices/stream?symbol=${GOLD}`, ca, {
          headers: { authorization: `Bearer ${pro}`, accept: "text/event-stream" },
        });
        expect(response.statusCode).toBe(200);
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        await eventually(
          "three ticks have arrived",
          () => text,
          (sent) => (sent.match(/^id: /gm) ?? []).length >= 3,
          { withinMs: 30_000, everyMs: 20 },
        );
        expect(text.length).toBeLessThan(LESS_THAN_A_BUFFER);
        response.destroy();
      });

      it("carries WebSocket streams without a loss, and over to the other process when one is killed", async () => {
        const clients: Follower[] = await follow(20, { urls: [url], key, symbols: [GOLD], ca });
        const newest = async (): Promise<number> => {
          const [row] = await deployment.database.sql<{ seq: number }[]>`
          select max(seq)::int as seq from ticks where instrument = ${GOLD}`;
          return row?.seq ?? 0;
        };
        await untilSeq(clients, GOLD, (await newest()) + 2);
        await front.streams[0].stop("SIGKILL");
        await untilSeq(clients, GOLD, (await newest()) + 3, 60_000);
        const sum = summary(clients);
        console.info(`${title}, one stream process killed: ${JSON.stringify(sum)}`);
        expect({ faults: sum.faults, gaps: sum.gaps }).toEqual({ faults: [], gaps: 0 });
        for (const client of clients) client.close();
      });

      it("answers from the other API process when one is killed, and in Assay's form when none is left", async () => {
        await front.apis[0].stop("SIGKILL");
        const calls = await Promise.all(Array.from({ length: 40 }, () => call("/v1/spot/gold", withKey())));
        expect(calls.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
        await front.apis[1].stop("SIGKILL");
        const { status, headers, text } = await call("/v1/spot/gold", withKey());
        expect({ status, type: headers["content-type"], retry: headers["retry-after"] }).toEqual({
          status: 503,
          type: "application/json",
          retry: "2",
        });
        expect(JSON.parse(text)).toEqual({
          error: "service_unavailable",
          message: "The service cannot handle this request at the moment.",
          request_id: headers["x-request-id"],
        });
      });

      it("does not wait for its streams when it is stopped, as it takes no new connections meanwhile", async () => {
        const response = await openAnswer(`${url}/v1/prices/stream?symbol=${GOLD}`, ca, withKey());
        expect(response.statusCode).toBe(200);
        response.on("error", () => undefined).resume();
        const stoppedMs = performance.now();
        await proxy.stop();
        const tookMs = performance.now() - stoppedMs;
        console.info(`${title}: stopped with an open stream in ${tookMs.toFixed(0)} ms`);
        expect(tookMs).toBeLessThan(MOST_MS_TO_END);
      });
    });
  });
});
