/** P1 to P3: answers from memory, with every check on, beside servers that send the same bytes and check nothing. */
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AssayReady } from "../children/assay.ts";
import { type Child, startChild } from "../children/child.ts";
import type { HttpServerSettings } from "../children/http-server.ts";
import { type Figure, type Goal, NotMeasured } from "../goal.ts";
import { compare, cpuRatio, medianOf, type Plan, type Round } from "../measure/compare.ts";
import { requestOf } from "../measure/http-load.ts";
import { withFolder } from "../measure/service.ts";

type Other = HttpServerSettings["by"];
type Rounds = { readonly [Who in Other | "assay"]?: readonly Round[] | undefined };

const SPOT = "/v1/spot/XAU-USD-SPOT";
const SPOT_PLAN: Plan = { connections: 64, rounds: 15, warmUp: 30_000 };
const barsOf = (limit: number): string => `/v1/bars?symbol=XAU-USD-SPOT&interval=1d&from=1996-01-01&to=2036-01-01&limit=${limit}`;

/** Headers that every server adds by itself. */
const AUTOMATIC = new Set(["date", "connection", "keep-alive"]);

/** An answer of ours, for the others to repeat. */
const answerOf = async (address: string, key: string): Promise<Pick<HttpServerSettings, "headers" | "body">> => {
  const response = await fetch(address, { headers: { Authorization: `Bearer ${key}`, "Accept-Encoding": "identity" } });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${address} was answered with ${response.status}: ${body.slice(0, 500)}`);
  return { headers: Object.fromEntries([...response.headers].filter(([name]) => !AUTOMATIC.has(name))), body };
};

/**
 * Ours and the others under the same load, each in a process of its own.
 * @param folder where other people's servers are installed
 */
const beside = async (path: string, plan: Plan, others: readonly Other[], folder = ""): Promise<Rounds> => {
  const assay = await startChild<AssayReady>("assay", { hasMarket: true });
  const { url, key } = assay.ready;
  const answer = await answerOf(`${url}${path}`, key);
  const children: Child<{ readonly port: number }>[] = [assay];
  for (const by of others) children.push(await startChild("http-server", { ...answer, by, folder }));
  const text = requestOf(path, key);
  const [ours, ...rounds] = await compare(
    children.map(({ pid, ready: { port } }) => ({ pid, port, request: () => text })),
    plan,
  );
  for (const child of children) await child.stop();
  return { assay: ours, ...Object.fromEntries(others.map((by, index) => [by, rounds[index]])) };
};

/** A figure of two servers: a ratio of CPU. */
const ratio = (what: string, rounds: Rounds, one: keyof Rounds, other: keyof Rounds, atMost?: number): Figure => {
  const inWords = (figure: keyof Round, digits: number): string =>
    [one, other].map((each) => medianOf(rounds[each], figure).toFixed(digits)).join(" against ");
  return {
    what: `${what}, CPU per request against ${other === "hono" ? "a bare Hono route" : "bare node:http"} with the same bytes`,
    value: cpuRatio(rounds[one], rounds[other]),
    unit: "×",
    ...(atMost !== undefined && { bound: { atMost } }),
    raw: `${inWords("cpuMicros", 1)} µs; ${inWords("perSecond", 0)} requests/s`,
  };
};

const spot: Goal = {
  id: "P1",
  what: "a spot price with every check on",
  floor: "bare node:http, and a bare Hono route",
  run: async () => {
    const rounds = await beside(SPOT, SPOT_PLAN, ["node", "hono"]);
    const what = "spot with every check on";
    return [ratio(what, rounds, "assay", "node", 1.5), ratio(what, rounds, "assay", "hono", 1.3)];
  },
};

const bars = (id: string, limit: number, connections: number, atMost: number): Goal => ({
  id,
  what: `a page of ${limit} bars`,
  floor: "bare node:http",
  run: async () => {
    const rounds = await beside(barsOf(limit), { connections, rounds: 9, warmUp: 500 }, ["node"]);
    return [ratio(`bars of ${limit}`, rounds, "assay", "node", atMost)];
  },
});

const PEERS = { fastify: "fastify@5.12.8", srvx: "srvx@1.0.8" };

/** Installs packages without running their scripts: they are not dependencies of the project. */
const install = async (folder: string, packages: readonly string[]): Promise<void> => {
  await writeFile(join(folder, "package.json"), "{}");
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
  const { status, stderr } = spawnSync("npm", options, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new NotMeasured(`${packages.join(" and ")} cannot be installed: ${stderr.trim().split("\n").at(-1)}`);
};

const peers: Goal = {
  id: "PEERS",
  what: "the answer of P1 from other people's servers, which check nothing",
  floor: "bare node:http",
  run: () =>
    withFolder(async (folder) => {
      await install(folder, Object.values(PEERS));
      const others = ["fastify", "srvx", "srvx's FastResponse"] as const;
      const rounds = await beside(SPOT, { ...SPOT_PLAN, rounds: 7 }, ["node", ...others], folder);
      return [ratio("Assay with every check", rounds, "assay", "node"), ...others.map((by) => ratio(by, rounds, by, "node"))];
    }),
};

/** The goals of single answers. */
export const answers: readonly Goal[] = [spot, bars("P2", 100, 64, 1.5), bars("P3", 10_000, 16, 1.15), peers];
