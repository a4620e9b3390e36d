/** The documents against the snapshot, and the changelog's line that renews it. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { currentSnapshot, storedLine } from "../release/snapshot.mjs";
import { ROOT } from "../workspaces.mjs";
import { compatFaults } from "./compat.mjs";
import { layOut } from "./scratch.mjs";

const GENERATED = "packages/contract/generated";

/** Routes that are enough, of more than thirty. */
const ROUTES = ["/v1/bars", "/v1/bars/latest", "/v1/carat"];

/** A repository with some of today's contract that has just been released. */
const released = () => {
  const root = layOut({ "packages/sdk/src/index.ts": "export const VERSION = 1;" });
  mkdirSync(join(root, GENERATED), { recursive: true });
  for (const name of ["openapi.json", "asyncapi.json"]) cpSync(join(ROOT, GENERATED, name), join(root, GENERATED, name));
  change(root, "openapi.json", (document) => {
    document.paths = Object.fromEntries(ROUTES.map((path) => [path, document.paths[path]]));
  });
  renew(root);
  name(root, storedLine(root));
  return root;
};
const renew = (root) => {
  mkdirSync(join(root, "released"), { recursive: true });
  for (const [name, text] of Object.entries(currentSnapshot(root))) writeFileSync(join(root, "released", name), text);
};
const name = (root, ...lines) => {
  writeFileSync(join(root, "CHANGELOG.md"), `# Changelog\n\n## 0.1.0\n\n${lines.join("\n")}\n`);
};
const change = (root, document, edit) => {
  const path = join(root, GENERATED, document);
  const content = JSON.parse(readFileSync(path, "utf8"));
  edit(content);
  writeFileSync(path, JSON.stringify(content));
};

describe("the documents", () => {
  test("break nothing when they are the released ones, or only their prose differs", () => {
    const root = released();
    expect(compatFaults(root)).toEqual([]);
    change(root, "openapi.json", (document) => {
      document.paths["/v1/bars"].get.description = "Bars.";
      document.components.schemas.Bar.properties.open.description = "The first price";
      document.components.schemas.Bar.properties.note = { type: "string" };
    });
    expect(compatFaults(root)).toEqual([]);
  });

  test("that break something are named by route, field and rule", () => {
    const root = released();
    change(root, "openapi.json", (document) => {
      delete document.components.schemas.Bar.properties.volume;
      document.paths["/v1/bars"].get.parameters.find((one) => one.name === "interval").required = true;
      document.paths["/v1/bars"].get.responses["429"].content["application/json"].schema.oneOf.pop();
    });
    change(root, "asyncapi.json", (document) => {
      delete document.components.schemas.TickFrame.properties.conf;
    });
    expect(compatFaults(root)).toEqual([
      "GET /v1/bars: error code removed: 429 quota_exceeded",
      "GET /v1/bars, query: request field required: interval",
      "GET /v1/bars, 200.bars[]: response field removed: volume",
      "GET /v1/bars/latest, 200.bar: response field removed: volume",
      "frames of /v1/stream, tick: response field removed: conf",
      "frames of /v1/prices/stream, tick: response field removed: conf",
    ]);
  });
});

describe("the snapshot", () => {
  test("is renewed only with the changelog's newest line", () => {
    const root = released();
    const first = storedLine(root);
    change(root, "openapi.json", (document) => {
      delete document.paths["/v1/carat"];
    });
    renew(root);
    const second = storedLine(root);
    expect(second).not.toBe(first);
    expect(compatFaults(root)).toEqual([
      `CHANGELOG.md names another snapshot than released/ holds: "${first}", expected "${second}"`,
    ]);
    name(root, first, second);
    expect(compatFaults(root)).toHaveLength(1);
    name(root, second, first);
    expect(compatFaults(root)).toEqual([]);
  });

  test("cannot go unnamed, and a changed program of it is noticed too", () => {
    const root = released();
    name(root);
    expect(compatFaults(root)[0]).toContain('names another snapshot than released/ holds: "none"');
    name(root, storedLine(root));
    writeFileSync(join(root, "released/sdk-programs.json"), "{}");
    expect(compatFaults(root)).toHaveLength(1);
  });
});
