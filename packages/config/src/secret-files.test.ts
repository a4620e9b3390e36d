/** Secrets in files: what is read, and every way it is refused. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SECRET_VARIABLES, withSecretFiles } from "./secret-files.ts";
import { parseSettings } from "./settings.ts";

let folder: string;
const secret = (text: string, name = "secret"): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-secrets-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a secret in a file", () => {
  test.each(SECRET_VARIABLES)("%s is read from the file that %s_FILE names, without its last newline", (name) => {
    for (const ending of ["", "\n", "\r\n", "\n\n"]) {
      const env = withSecretFiles({ [`${name}_FILE`]: secret(`the value${ending}`) });
      expect(env).toEqual({ [name]: "the value", [`${name}_FILE`]: undefined });
    }
  });

  test("counts as the setting itself", () => {
    const settings = parseSettings({
      DATABASE_URL_FILE: secret("postgres://assay:p%40ss@db/assay\n", "database"),
      REDIS_URL_FILE: secret("rediss://:word@cache:6380\n", "redis"),
      AWS_ACCESS_KEY_ID: "key",
      AWS_SECRET_ACCESS_KEY_FILE: secret("s3 secret\n", "s3"),
    });
    expect(settings.databaseUrl).toBe("postgres://assay:p%40ss@db/assay");
    expect(settings.redisUrl).toBe("rediss://:word@cache:6380");
    expect(settings.s3Credentials).toMatchObject({ accessKeyId: "key", secretAccessKey: "s3 secret" });
  });

  test.each(["mysql://root:hunter2@db/assay", "root:hunter2:19000:0:99999:7:::\ndaemon:*", "hunter2"])(
    "is refused when its content is, with the path and nothing of the content: %j",
    (text) => {
      for (const name of ["DATABASE_URL", "REDIS_URL"]) {
        const path = secret(text, "another-file");
        expect(() => parseSettings({ [`${name}_FILE`]: path })).toThrow(
          expect.objectContaining({
            variable: `${name}_FILE`,
            message: expect.stringMatching(
              new RegExp(`^(?!.*hunter2)${name}_FILE is "${path}" \\(it does not hold .*://.*; expected the path of`),
            ),
          }),
        );
      }
    },
  );

  test("a blank variable counts as unset", () => {
    const env = { DATABASE_URL_FILE: " ", DATABASE_URL: "postgres://db/assay" };
    expect(withSecretFiles(env)).toBe(env);
  });

  test.each([
    ["a file that is not there", () => join(folder, "missing"), "no such file"],
    ["a folder", () => folder, "EISDIR"],
    ["an empty file", () => secret(" \n"), "the file is empty"],
  ])("%s is refused in one line that names the setting", (_, file, because) => {
    for (const name of SECRET_VARIABLES) {
      expect(() => parseSettings({ [`${name}_FILE`]: file() })).toThrow(
        expect.objectContaining({
          variable: `${name}_FILE`,
          message: expect.stringMatching(
            new RegExp(`^${name}_FILE is .*${because}.*; expected the path of a file with the value of ${name}$`),
          ),
        }),
      );
    }
  });

  test("both forms at once are refused, whatever the file holds", () => {
    for (const name of SECRET_VARIABLES) {
      expect(() => parseSettings({ [name]: "hunter2", [`${name}_FILE`]: join(folder, "missing") })).toThrow(
        expect.objectContaining({
          variable: `${name}_FILE`,
          message: expect.stringMatching(new RegExp(`^(?!.*hunter2).*${name} is set as well`)),
        }),
      );
    }
  });
});
