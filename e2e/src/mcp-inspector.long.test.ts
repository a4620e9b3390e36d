/** The MCP inspector's command line on the service: another program, on the protocol's older SDK. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { type SharedService, sharedService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 600_000 });

const run = promisify(execFile);

/** Installed from the registry into a temporary folder. Later ones need Node 22. */
const INSPECTOR = "@modelcontextprotocol/inspector-cli@0.16.8";

const offline = await run("npm", ["ping"]).then(
  () => false,
  () => true,
);
if (offline) console.info("MCP inspector: left out, because the npm registry does not answer");

describe.skipIf(offline)("the MCP inspector", { meta: { needs: "other people's programs cannot be had" } }, () => {
  let folder: Folder;
  let shared: SharedService;
  beforeAll(async () => {
    shared = await sharedService();
    folder = await temporaryFolder();
    await writeFile(join(folder.path, "package.json"), "{}");
    await run("npm", ["install", "--no-audit", "--no-fund", INSPECTOR], { cwd: folder.path });
  });
  afterAll(() => folder?.remove());

  const inspect = async (...args: string[]) => {
    const program = join(folder.path, "node_modules/@modelcontextprotocol/inspector-cli/build/index.js");
    const address = [`${shared.service.url}/mcp`, "--transport", "http"];
    const { stdout } = await run(process.execPath, [program, ...address, ...args], { maxBuffer: 16 * 1024 * 1024 });
    // biome-ignore lint/suspicious/noExplicitAny: a test names the fields it reads
    return JSON.parse(stdout) as any;
  };

  it("lists the tools and the resources", async () => {
    const { tools } = await inspect("--method", "tools/list");
    expect(tools.map(({ name }: { name: string }) => name)).toContain("get_spot_price");
    const { resources } = await inspect("--method", "resources/list");
    expect(resources.map(({ name }: { name: string }) => name)).toContain("guides/agents");
  });

  it("calls a tool with and without a key", async () => {
    const call = (...args: string[]) => inspect("--method", "tools/call", ...args);
    const spot = await call("--tool-name", "get_spot_price", "--tool-arg", "symbol=XAU");
    expect(spot.structuredContent).toMatchObject({ symbol: "XAU", price: expect.stringMatching(/^\d+\.\d{2}$/) });
    const refused = await call("--tool-name", "list_settlements", "--tool-arg", "symbol=GC");
    expect(refused.isError).toBe(true);
    expect(JSON.parse(refused.content[0].text)).toMatchObject({ error: "unauthenticated" });
    const header = ["--header", `Authorization: Bearer ${shared.keys.pro}`];
    const rows = await call(...header, "--tool-name", "list_settlements", "--tool-arg", "symbol=GC", "--tool-arg", "limit=1");
    expect(rows.structuredContent.settlements).toHaveLength(1);
  });
});
