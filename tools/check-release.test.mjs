/** The comparison with the last release, in a scratch repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkRelease } from "./check-release.mjs";
import { layOut } from "./verify/scratch.mjs";
import { ROOT } from "./workspaces.mjs";

const CLIENT = `/** The client. */
export interface Bar { readonly barStart: Date; readonly open: string | null }
export const latest = (symbol: string): Bar => ({ barStart: new Date(symbol), open: null });
`;
const INDEX = '/** The SDK. */\nexport * from "./core/client.ts";\n';
const MSW = "/** Mocks. */\nexport const mocks = (baseUrl: string): string[] => [baseUrl];\n";
const PUBLIC = `import { latest } from "../index.ts";
import { symbol } from "../testing/symbol.ts";
export const opened: Date = latest(symbol).barStart;
// @ts-expect-error no number is a symbol
latest(5);
`;
const INTERNAL = 'import { latest } from "./client.ts";\nexport const text: string | null = latest("GC").open;\n';
const README = '# SDK\n\n```ts\nimport { latest } from "@assay/sdk";\nconsole.log(latest("GC").open);\n```\n';

const put = (root, path, text) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

/** A repository with one release and no changes since. */
const released = (tag = "sdk-v1.0.0") => {
  const root = layOut({
    "tsconfig.base.json": readFileSync(join(ROOT, "tsconfig.base.json"), "utf8"),
    "packages/sdk/src/index.ts": INDEX,
    "packages/sdk/src/core/client.ts": CLIENT,
    "packages/sdk/src/core/client.test.ts": INTERNAL,
    "packages/sdk/src/msw/index.ts": MSW,
    "packages/sdk/src/public/latest.test.ts": PUBLIC,
    "packages/sdk/src/testing/symbol.ts": '/** A symbol. */\nexport const symbol = "GC";\n',
    "packages/sdk/README.md": README,
  });
  const git = (...args) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: root });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--no-gpg-sign", "-m", "feat: first");
  if (tag) git("tag", "--no-sign", tag);
  return root;
};

describe("the check against the last release", () => {
  test("says so when there is no release", () => {
    expect(checkRelease(released(null))).toEqual({ tag: null, programs: [], faults: [] });
  });

  test("compiles public tests with their helpers and the README's code, and no internal tests", () => {
    const { tag, programs, faults } = checkRelease(released());
    expect(faults).toEqual([]);
    expect(tag).toBe("sdk-v1.0.0");
    expect(programs.toSorted()).toEqual([
      "packages/sdk/src/public/latest.test.ts",
      "packages/sdk/src/readme-1.test.ts",
      "packages/sdk/src/testing/symbol.ts",
    ]);
  });

  test("finds a renamed field, in the test and in the README", () => {
    const root = released();
    put(root, "packages/sdk/src/core/client.ts", CLIENT.replaceAll("barStart", "startsAt").replaceAll("open", "opened"));
    const { faults } = checkRelease(root);
    expect(faults).toHaveLength(2);
    expect(faults.join("\n")).toContain("Property 'barStart' does not exist");
    expect(faults.join("\n")).toContain("readme-1.test.ts");
  });

  test("finds a parameter that has become required", () => {
    const root = released();
    put(root, "packages/sdk/src/core/client.ts", CLIENT.replace("symbol: string", "symbol: string, interval: string"));
    expect(checkRelease(root).faults.join("\n")).toContain("Expected 2 arguments, but got 1");
  });

  test("allows additions: another field, a wider parameter, a moved file", () => {
    const root = released();
    const wider = CLIENT.replace("symbol: string", "symbol: string | number").replace("open: null", "open: null, close: null");
    put(root, "packages/sdk/src/core/other.ts", wider.replace("readonly open", "readonly close: string | null; readonly open"));
    put(root, "packages/sdk/src/index.ts", INDEX.replace("client", "other"));
    expect(checkRelease(root).faults).toEqual([]);
  });

  test("compares with the newest of several releases", () => {
    const root = released("sdk-v9.0.0");
    execFileSync("git", ["tag", "--no-sign", "sdk-v10.0.0"], { cwd: root });
    expect(checkRelease(root).tag).toBe("sdk-v10.0.0");
  });
});
