/** Receipts of a real service, verified by another JOSE library and by the SDK, before and after a rotation of the key. */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ReceiptKeys, verifyReceipt } from "@assay/sdk/receipts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { outputOf } from "./harness/programs.ts";
import { ASSAY, type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

/** Debian's, which has the library; the first python3 of the PATH may be another. */
const PYTHON = "/usr/bin/python3";
const hasLibrary = spawnSync(PYTHON, ["-c", "import jwcrypto"]).status === 0;
if (!hasLibrary) console.info("skipped: no python3-jwcrypto");

const VERIFY = `
import sys
from jwcrypto import jwk, jws
keys = jwk.JWKSet.from_json(open(sys.argv[2]).read())
token = jws.JWS()
token.deserialize(open(sys.argv[1]).read())
token.verify(keys.get_key(token.jose_header["kid"]))
print(token.payload.decode())
`;

let folder: Folder;
let service: Service;
let dataDir: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, "data");
  service = await startService({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

const get = async (path: string): Promise<string> => {
  const answer = await fetch(`${service.url}${path}`);
  expect(answer.status, path).toBe(200);
  return answer.text();
};

const keysNow = async (): Promise<ReceiptKeys> => JSON.parse(await get("/.well-known/jwks.json")) as ReceiptKeys; // the contract's own

it("a receipt verifies with the keys the service publishes, also after its key was rotated while it runs", async () => {
  const before = await get("/v1/spot/gold?format=jws");
  const issuer = service.url;
  const old = await keysNow();
  const said = await verifyReceipt(before, { jwks: old, issuer });
  expect(said).toMatchObject({ issuer, route: "GET /v1/spot/{symbol}", body: { symbol: "XAU" } });

  const settings = { PATH: process.env.PATH ?? "", DATA_DIR: dataDir };
  const { stdout, status } = spawnSync(process.execPath, [ASSAY, "signing-keys", "rotate"], { env: settings, encoding: "utf8" });
  expect(status).toBe(0);
  const [next] = JSON.parse(stdout).keys as { kid: string }[];
  await expect.poll(async () => (await keysNow()).keys[0]?.kid, { timeout: 30_000 }).toBe(next?.kid);

  const jwks = await keysNow();
  expect(await verifyReceipt(before, { jwks, issuer })).toEqual(said);
  const after = await get("/v1/carat?currency=EUR&format=jws");
  expect((await verifyReceipt(after, { jwks, issuer })).body).toHaveProperty("price_gram_24k");
  await expect(verifyReceipt(after, { jwks: old, issuer })).rejects.toThrow("not in the set");
  const stored = await readFile(join(dataDir, "signing-keys.json"), "utf8");
  const secret = /"d": "([^"]+)"/.exec(stored)?.[1] ?? "";
  expect(secret).toHaveLength(43);
  expect(stdout + service.stdout() + service.stderr() + JSON.stringify(jwks)).not.toContain(secret);
});

describe.skipIf(!hasLibrary)("python's jwcrypto", { meta: { needs: "no python3-jwcrypto" } }, () => {
  it("verifies a receipt, reads the answer in it, and refuses a changed one", async () => {
    const token = await get("/v1/convert?from=XAU&to=EUR&amount=2.5&format=jws");
    const keys = await folder.write("jwks.json", await get("/.well-known/jwks.json"));
    const read = JSON.parse(await outputOf(PYTHON, "-c", VERIFY, await folder.write("receipt.jws", token), keys));
    expect(read).toMatchObject({ iss: service.url, route: "GET /v1/convert", body: { from: "XAU", to: "EUR", amount: "2.5" } });
    const [head = "", claims = "", signature = ""] = token.split(".");
    const dearer = Buffer.from(claims, "base64url").toString().replace('"amount":"2.5"', '"amount":"9.5"');
    const changed = [head, Buffer.from(dearer).toString("base64url"), signature].join(".");
    await expect(outputOf(PYTHON, "-c", VERIFY, await folder.write("changed.jws", changed), keys)).rejects.toThrow(
      "Verification failed",
    );
  });
});
