/** The AsyncAPI document, as consumers read it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { ROOT } from "./harness/files.ts";

const PATH = join(ROOT, "packages/contract/generated/asyncapi.json");
const source = readFileSync(PATH, "utf8");

test("has no error under Redocly's recommended rules for AsyncAPI 3", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    async3Rules: {
      "info-license-strict": "error",
      "no-channel-trailing-slash": "error",
      "operation-operationId": "error",
      "tag-description": "error",
      "no-duplicated-tag-names": "error",
    },
  });
  const problems = await lintFromString({ source, absoluteRef: PATH, config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`)).toEqual([]);
});

test("a fault in it would be found", async () => {
  const document = { ...JSON.parse(source), channels: { stream: { address: 1 } } };
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: join(ROOT, "asyncapi.json"), config });
  expect(problems.length).toBeGreaterThan(0);
});
