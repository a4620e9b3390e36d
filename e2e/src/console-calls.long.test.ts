/** "As a call" on every page of the console: the lines are run as they are copied, and give the same answer both ways. */
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { CONSOLE_PAGES, type ConsolePath } from "./harness/console.ts";
import { describeConsoles } from "./harness/console-suite.ts";
import { ROOT, type TierKeys } from "./harness/files.ts";
import { type Service, sharedService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

const run = promisify(execFile);
const PATHS = Object.keys(CONSOLE_PAGES) as ConsolePath[]; // the keys of a literal

/** A call of the page: what it gives, and its lines. */
interface Lines {
  readonly what: string;
  readonly curl: string;
  readonly typescript: string;
}

/** Every name of an answer, without the case of its words: the wire's and the SDK's names of a field are then one. */
const namesIn = (value: unknown): ReadonlySet<string> =>
  typeof value !== "object" || value === null
    ? new Set()
    : new Set(Object.entries(value).flatMap(([name, inner]) => [name.replaceAll("_", "").toLowerCase(), ...namesIn(inner)]));

describeConsoles("as a call", (consoles) => {
  let service: Service;
  let keys: TierKeys;
  /** Beside the packages, so that the lines' import finds the SDK. */
  const file = join(ROOT, `e2e/dist/as-call-${process.pid}.mjs`);

  beforeAll(async () => {
    ({ service, keys } = await sharedService());
  });
  afterAll(async () => {
    await rm(file, { force: true });
  });

  const linesOf = async (path: ConsolePath): Promise<readonly Lines[]> => {
    const { page, close } = await consoles.open(service.url, path, keys.realtime_pro);
    await page.waitForSelector(".as-call h3", { state: "attached" });
    const found = await page.locator(".as-call section:has(> h3)").evaluateAll((sections) =>
      sections.map((section) => {
        const [curl = "", typescript = ""] = [...section.querySelectorAll("pre")].map(({ textContent }) => textContent ?? "");
        return { what: section.querySelector("h3")?.textContent ?? "", curl, typescript };
      }),
    );
    await close();
    return found;
  };

  it("are of what is shown: the metal in the currency and weight that are chosen, and the range of the chart", async () => {
    const { page, close } = await consoles.open(service.url, "?metal=XAG&currency=EUR&per=kg&range=5Y", keys.pro);
    const fromMs = Date.now() - 5 * 365.25 * 86_400_000;
    const day = new RegExp(`unit=kg&from=${new Date(fromMs).getUTCFullYear()}-`);
    await page.locator(".as-call pre", { hasText: day }).first().waitFor({ state: "attached" });
    const paths = await page
      .locator(".as-call .pair > :first-child pre")
      .evaluateAll((lines) => lines.map(({ textContent }) => /v1\/[^"?]+\?[^&"]+/.exec(textContent ?? "")?.[0]));
    expect(paths).toEqual([
      "v1/convert?from=XAG",
      "v1/spot/XAG-USD-SPOT?include=all",
      "v1/series?symbol=XAG-EUR-SPOT",
      "v1/corrections?symbol=XAG-USD-SPOT",
    ]);
    await close();
  });

  it.each(PATHS)("the lines of /%s answer, by curl and by the SDK, with the same fields", async (path) => {
    const env = { ...process.env, ASSAY_API_KEY: keys.realtime_pro };
    // What mints and revokes keys is not run.
    const calls = (await linesOf(path)).filter(({ curl }) => !curl.includes("POST") || curl.includes("/v1/quotes"));
    expect(calls.length).toBeGreaterThan(0);
    for (const { what, curl, typescript } of calls) {
      expect(`${curl}${typescript}`).not.toContain(keys.realtime_pro);
      if (typescript.includes(".stream.")) {
        await writeFile(file, typescript.replace("console.log(", "(console.log(").replace(/\);$/, "), process.exit(0));"));
        expect((await run(process.execPath, [file], { env })).stdout, what).toMatch(/^\d+ \d+\.\d+\n$/);
        const { stdout } = await run("sh", ["-c", `${curl.replace("curl", "curl -sS --max-time 5")}; true`], { env });
        expect(stdout, what).toMatch(/data: \{"type":"tick"/);
        continue;
      }
      const asked = JSON.parse((await run("sh", ["-c", curl.replace("curl", "curl -sS --fail")], { env })).stdout);
      await writeFile(file, `${typescript}\nconsole.log(JSON.stringify(answer)); process.exit(0);`);
      const answered = JSON.parse((await run(process.execPath, [file], { env })).stdout);
      expect([...namesIn(answered)].sort(), what).toEqual([...namesIn(asked)].sort());
      expect(namesIn(asked).size, what).toBeGreaterThan(1);
    }
  });
});
