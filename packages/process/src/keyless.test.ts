import { parseSettings } from "@assay/config";
import { expect, test } from "vitest";
import { announceKeyless } from "./keyless.ts";

const said = (env: Record<string, string>): { readonly info: string[]; readonly warn: string[] } => {
  const lines = { info: [] as string[], warn: [] as string[] };
  announceKeyless(parseSettings(env), {
    info: (_fields, message) => lines.info.push(message),
    warn: (_fields, message) => lines.warn.push(message),
  });
  return lines;
};

test("the start says what callers without a key have", () => {
  expect(said({}).info).toEqual([
    "Without a key: the tier Free, prices 15 minutes late; 10 requests a minute and 100 an hour for each address.",
  ]);
  expect(said({ KEYLESS_TIER: "realtime_pro" }).info).toEqual([
    "Without a key: the tier Realtime Pro, prices live; 600 requests a minute and 36000 an hour for each address, and 10 streams at once. Account routes need a key.",
  ]);
});

test.each([
  [{ HOST: "0.0.0.0" }, "HOST is 0.0.0.0"],
  [{ HOST: "::" }, "HOST is ::"],
  [{ HOST: "192.168.1.4" }, "HOST is 192.168.1.4"],
  [{ HOST: "prices.example.com" }, "HOST is prices.example.com"],
  [{ PUBLIC_URL: "https://prices.example.com/metals" }, "PUBLIC_URL is https://prices.example.com/metals"],
  [{ TRUST_PROXY: "127.0.0.1" }, "TRUST_PROXY names a proxy"],
])("a start that others may reach warns when callers without a key have more than Free: %j", (env, reason) => {
  expect(said({ ...env, KEYLESS_TIER: "pro" }).warn).toEqual([
    `KEYLESS_TIER gives Pro to whoever reaches this service, and others may: ${reason}`,
  ]);
  expect(said(env).warn, "Free is for everyone").toEqual([]);
});

test.each(["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1", "localhost"])("a start on %s alone does not warn", (host) => {
  expect(said({ HOST: host, KEYLESS_TIER: "realtime_pro" }).warn).toEqual([]);
  expect(said({ PUBLIC_URL: "http://[::1]:8080", KEYLESS_TIER: "realtime_pro" }).warn).toEqual([]);
});
