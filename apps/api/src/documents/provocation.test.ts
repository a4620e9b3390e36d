/** The calls on the error pages produce their codes. */
import { type Call, callProvoking, curlOf, headersOf } from "@assay/codegen";
import { DEFAULT_CATALOG, ERROR_CODES, ERRORS } from "@assay/contract";
import { makeBars, makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshAddress, startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const nowMs = app.clock();
  await app.publish({
    ticks: [makeTick(1, { computedAtMs: nowMs - 16 * 60_000 })],
    fx: [makeRates({ observedAtMs: nowMs - 16 * 60_000 })],
  });
  await app.publish({ bars: makeBars("1d", nowMs - (nowMs % 86_400_000), 3) });
});
afterAll(() => app.close());

const send = ({ method, path, key, bodyBytes }: Call, from: string, good: string): Promise<Response> =>
  fetch(`${app.url}${path}`, {
    method: method ?? "GET",
    headers: {
      "X-Forwarded-For": from,
      ...(key === undefined ? {} : { Authorization: `Bearer ${key === "good" ? good : "no-such-key"}` }),
    },
    body: bodyBytes === undefined ? null : " ".repeat(bodyBytes),
  });

const provoked = ERROR_CODES.flatMap((code) => {
  const call = callProvoking(code);
  return call ? [{ code, call }] : [];
});

test.each(provoked)("$code is the answer to its call, with the headers its page shows", async ({ code, call }) => {
  const from = freshAddress();
  const { key } = await app.key("pro");
  for (let before = 1; before < (call.times ?? 1); before += 1) expect((await send(call, from, key)).ok).toBe(true);
  const response = await send(call, from, key);
  expect(await response.json()).toMatchObject({ error: code });
  expect(response.status).toBe(ERRORS[code].status);
  for (const name of Object.keys(headersOf(code))) expect(response.headers.has(name), name).toBe(true);
});

test("the call that exceeds the limit is made once more than the limit allows", () => {
  expect(callProvoking("rate_limit_exceeded")?.times).toBe(DEFAULT_CATALOG.keyless.perMinute + 1);
});

test("a call is written as a shell command: quoted, with method, key and body", () => {
  expect(curlOf({ path: "/v1/convert?from=XAU&to=ABC" }, "http://x")).toBe('curl -i "http://x/v1/convert?from=XAU&to=ABC"');
  expect(curlOf({ method: "DELETE", path: "/k", key: "good" }, "http://x")).toBe(
    'curl -i -X DELETE -H "Authorization: Bearer $KEY" "http://x/k"',
  );
  expect(curlOf({ method: "POST", path: "/k", key: "good", bodyBytes: 9 }, "http://x")).toBe(
    'head -c 9 /dev/zero | curl -i -H "Authorization: Bearer $KEY" --data-binary @- "http://x/k"',
  );
});
