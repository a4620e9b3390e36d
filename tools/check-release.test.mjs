/** The comparison with the last release, or else with the snapshot of it, in a scratch repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkRelease, releasedProgramFaults } from "./check-release.mjs";
import { publicPrograms } from "./release/public-programs.mjs";
import { layOut } from "./verify/scratch.mjs";
import { ROOT } from "./workspaces.mjs";

const CLIENT = `/** The client. */
export interface Bar { readonly barStart: Date; readonly open: string | null; readonly spare?: string; }
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
  test("compiles the programs of the snapshot when there is no release", () => {
    const root = released(null);
    put(root, "released/sdk-programs.json", JSON.stringify(Object.fromEntries(publicPrograms(root))));
    const { tag, programs, faults } = checkRelease(root);
    expect({ tag, faults }).toEqual({ tag: null, faults: [] });
    expect(programs).toContain("packages/sdk/src/readme-1.test.ts");
    put(root, "packages/sdk/src/core/client.ts", CLIENT.replaceAll("open", "opened"));
    expect(checkRelease(root).faults.join("\n")).toContain("Property 'open' does not exist");
  });

  test("of verify is always with the snapshot, whatever is tagged", () => {
    const root = released();
    put(
      root,
      "released/sdk-programs.json",
      JSON.stringify({ "packages/sdk/src/own.test.ts": 'import { later } from "./index.ts";\nlater();\n' }),
    );
    expect(releasedProgramFaults(root).join("\n")).toContain("has no exported member 'later'");
  });

  test("finds a public name that is gone though no program uses it, and a member of one", () => {
    const root = released();
    put(root, "packages/sdk/src/msw/index.ts", MSW.replace("mocks", "mock"));
    expect(checkRelease(root).faults.join("\n")).toContain("Property 'mocks' does not exist");
    put(root, "packages/sdk/src/msw/index.ts", MSW);
    put(root, "packages/sdk/src/core/client.ts", CLIENT.replace("readonly spare?: string;", ""));
    expect(checkRelease(root).faults.join("\n")).toContain("Property 'spare' does not exist on type 'Bar'");
  });

  test("fails when the compiler cannot read its settings", () => {
    const root = released();
    put(root, "tsconfig.base.json", "{");
    expect(checkRelease(root).faults).not.toEqual([]);
  });

  test("compiles public tests with their helpers and the README's code, and no internal tests", () => {
    const { tag, programs, faults } = checkRelease(released());
    expect(faults).toEqual([]);
    expect(tag).toBe("sdk-v1.0.0");
    expect(programs.toSorted()).toEqual([
      "packages/sdk/src/names-1.test.ts",
      "packages/sdk/src/names-2.test.ts",
      "packages/sdk/src/public/latest.test.ts",
      "packages/sdk/src/readme-1.test.ts",
      "packages/sdk/src/testing/symbol.ts",
    ]);
  });

  test("finds a renamed field, in the test and in the README", () => {
    const root = released();
    put(root, "packages/sdk/src/core/client.ts", CLIENT.replaceAll("barStart", "startsAt").replaceAll("open", "opened"));
    const { faults } = checkRelease(root);
    const files = faults.map((fault) => fault.split("(")[0]);
    const twice = Array(2).fill("packages/sdk/src/names-1.test.ts");
    expect(files).toEqual([...twice, "packages/sdk/src/public/latest.test.ts", "packages/sdk/src/readme-1.test.ts"]);
    expect(faults.join("\n")).toContain("Property 'barStart' does not exist");
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
