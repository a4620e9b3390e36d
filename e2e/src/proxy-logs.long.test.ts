/** What the shipped proxies write down and where they redirect, in front of a real service, and once it is gone. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { freePort, makeCertificate, missingFor, PROXIES, type RunningProxy, startProxyServer } from "./harness/proxies.ts";
import { askTls } from "./harness/raw-http.ts";
import { type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

const YEAR = new Date(Date.now() - 400 * 86_400_000).getUTCFullYear();
const DOWNLOAD = `/v1/download?symbol=XAU-USD-SPOT&year=${YEAR}`;
const EXPIRED = "/archives/XAU-USD-SPOT/1d/2020.csv?signature=signature-of-a-stranger&expires=1";

describe.each(PROXIES)("the log of %s", (name) => {
  const missing = missingFor(name);
  if (missing.length > 0) console.info(`the log of ${name}: skipped, because ${missing.join(" and ")} is not installed`);
  describe.skipIf(missing.length > 0)("as shipped", { meta: { needs: `${missing.join(" and ")} is not installed` } }, () => {
    let folder: Folder;
    let service: Service;
    let proxy: RunningProxy;
    let keys: TierKeys;
    let url: string;
    let ca: string;
    beforeAll(async () => {
      folder = await temporaryFolder();
      const [dataDir, port, certificate] = [join(folder.path, "data"), await freePort(), await makeCertificate(folder.path)];
      ca = await readFile(certificate.cert, "utf8");
      url = `https://localhost:${port}`;
      const own = `127.0.0.1:${await freePort()}`;
      service = await startService({
        DATA_DIR: dataDir,
        DISABLE: "",
        TRUST_PROXY: "127.0.0.1",
        PUBLIC_URL: url,
        PORT: own.split(":")[1] ?? "",
      });
      keys = await readDemoKeys(dataDir);
      const archives = join(dataDir, "archives/XAU-USD-SPOT/1d");
      await mkdir(archives, { recursive: true });
      // One of the years the service makes by itself, so that nothing has to be waited for.
      await writeFile(join(archives, `${YEAR}.parquet`), "PAR1");
      proxy = await startProxyServer(name, { folder: folder.path, certificate, port, apis: [own, own], streams: [own, own] });
    });
    afterAll(async () => {
      await proxy?.stop();
      await service?.stop("SIGKILL");
      await folder?.remove();
    });

    const call = (path: string, headers: Record<string, string> = {}) => askTls(`${url}${path}`, ca, { headers });

    it("holds no API key and no signature of a link, whether the service answers or is gone", async () => {
      const download = await call(DOWNLOAD, { "x-api-key": keys.pro });
      expect(download.status, download.text).toBe(307);
      const link = new URL(download.headers.location ?? "");
      const signature = link.searchParams.get("signature") ?? "";
      expect(signature.length).toBeGreaterThan(20);
      const requests: readonly (readonly [path: string, headers: Record<string, string>])[] = [
        [DOWNLOAD, { "x-api-key": keys.pro }],
        ["/v1/account/usage", { authorization: `Bearer ${keys.basic}` }],
        ["/v1/prices/stream?symbol=XAU-USD-SPOT", { "x-api-key": keys.free }],
        [link.pathname + link.search, {}],
        [EXPIRED, {}],
        [`/trpc/account.usage?input={}`, { "x-api-key": keys.physical }],
        [`/v1/spot/gold?api_key=${keys.pro}`, { "idempotency-key": "known-to-the-owner-alone" }],
      ];
      const all = (round: string) =>
        Promise.all(requests.map(([path, headers], at) => call(path, { ...headers, "x-request-id": `${round}-${at}` })));
      // Whether the archive can be read is not the point, and that it is looked for shows that the link is genuine.
      const alive = (await all("alive")).map(({ status }) => status);
      expect(alive.toSpliced(3, 1)).toEqual([307, 200, 403, 403, 200, 422]);
      expect(alive[3]).not.toBe(403);
      await service.stop();
      expect((await all("gone")).map(({ status }) => status)).toEqual(Array(requests.length).fill(503));
      const log = await eventually(
        "every request is in the log",
        () => proxy.log(),
        (text) => (text.match(/"status":\s?503/g) ?? []).length >= requests.length && text.includes("alive-6"),
      );
      for (const [path] of requests) expect(log).toContain(path.split("?")[0]);
      const secrets = [
        ...Object.values(keys),
        signature,
        encodeURIComponent(signature),
        "signature-of-a-stranger",
        "known-to-the-owner-alone",
      ];
      for (const secret of secrets) expect(log.includes(secret), secret).toBe(false);
    });

    it("is of a proxy that redirects to its own name, whatever Host the caller sent", async () => {
      const answer = await askTls(`http://127.0.0.1:${proxy.httpPort}/v1/spot/gold?a=b`, ca, {
        headers: { host: "evil.example" },
      });
      expect([answer.status, answer.headers.location]).toEqual([308, "https://localhost/v1/spot/gold?a=b"]);
    });
  });
});
