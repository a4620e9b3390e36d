/** The AsyncAPI document, as others will read it. */
import { join } from "node:path";
import { asyncApiDocument } from "@assay/codegen";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { ROOT } from "./harness/root.ts";

test("has no fault under Redocly's recommended rules for AsyncAPI 3", async () => {
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
  const source = JSON.stringify(asyncApiDocument("http://127.0.0.1:8080"));
  const problems = await lintFromString({ source, absoluteRef: join(ROOT, "packages/contract/generated/asyncapi.json"), config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`)).toEqual([]);
});

test("a fault in it would be seen", async () => {
  const document = { ...asyncApiDocument("http://127.0.0.1:8080"), channels: { stream: { address: 1 } } };
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: join(ROOT, "asyncapi.json"), config });
  expect(problems.length).toBeGreaterThan(0);
});
