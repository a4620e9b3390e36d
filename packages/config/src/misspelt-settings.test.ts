import { expect, test } from "vitest";
import { misspeltSettings } from "./misspelt-settings.ts";

const meant = (name: string): string | undefined => misspeltSettings({ [name]: "x" })[0]?.meant;

test.each([
  ["METRIC_PORT", "METRICS_PORT"],
  ["DATABSE_URL", "DATABASE_URL"],
  ["REDIS_URI", "REDIS_URL"],
  ["TRUSTED_PROXY", "TRUST_PROXY"],
  ["data_dir", "DATA_DIR"],
  ["ASSAY_PORT", "PORT"],
  ["DRIAN_MS", "DRAIN_MS"],
  ["DATABASE_URL_FIEL", "DATABASE_URL_FILE"],
])("%s is taken for %s", (given, setting) => {
  expect(meant(given)).toBe(setting);
});

test.each([
  "PATH",
  "HOME",
  "HOSTNAME",
  "PORTS",
  "PWD",
  "LANG",
  "LANGUAGE",
  "USER",
  "NODE_ENV",
  "KUBERNETES_PORT",
  "FOOD",
  "LOGNAME",
  "SHLVL",
])("%s is somebody else's", (name) => expect(meant(name)).toBeUndefined());

test("a setting that is there as well is the one that is meant, and the names of settings are right", () => {
  expect(
    misspeltSettings({ DATABASE_URI: "x", DATABASE_URL: "postgres://a/b", PORT: "1", AWS_SESSION_TOKEN_FILE: "/t" }),
  ).toEqual([]);
});
