/** P20: the answer of P1 from other HTTP servers that check nothing, compared with bare node:http. */
import type { Bench } from "../bench.ts";
import { startPart } from "../measure/child.ts";
import { compare, type Loader, medianOf, ratioOf } from "../measure/compare.ts";
import { installPeers } from "../measure/peer-packages.ts";
import { answerToRepeat, requestOf } from "../measure/same-bytes.ts";
import type { ApiReady, ApiSettings } from "../ours/api-part.ts";
import type { PeerSettings } from "../references/peer-http.ts";

const PATH = "/v1/spot/XAU-USD-SPOT";
const PACKAGES = ["fastify@5.12.8", "srvx@1.0.8"];
const PLAN = { connections: 64, rounds: 7, roundMs: 1_000, isBusy: true, warmUp: 30_000 };
const NAMES = ["Assay with every check", "fastify", "srvx"] as const;

/** The benchmark of the peers. */
export const peers: Bench = {
  ids: ["P20"],
  run: async ({ report, skip }) => {
    const installed = await installPeers(PACKAGES);
    if ("why" in installed) return skip("P20", installed.why);
    const { folder, remove } = installed;
    const settings: ApiSettings = { store: { temporary: true } };
    const ours = await startPart<ApiReady>("assay-api", settings);
    const answer = await answerToRepeat({ ...ours.ready, path: PATH });
    const start = (peer: PeerSettings["peer"]) =>
      startPart<{ port: number }>("peer-http", { ...answer, peer, folder } satisfies PeerSettings);
    const children = [await startPart<{ port: number }>("bare-http", answer), ours, await start("fastify"), await start("srvx")];
    const loader: Loader = await startPart("load", null);
    const targets = children.map((child) => ({ child, port: child.ready.port, request: requestOf(PATH, ours.ready.key) }));
    const [bare, ...others] = await compare(loader, targets, PLAN);
    for (const child of [...children, loader]) await child.stop();
    await remove();
    for (const [index, name] of NAMES.entries()) {
      report({
        id: "P20",
        what: `the answer of P1 from ${name}, CPU per request against bare node:http with the same bytes`,
        figure: ratioOf(others[index], bare, "cpuMicros"),
        unit: "×",
        raw: `${medianOf(others[index], "cpuMicros").toFixed(1)} against ${medianOf(bare, "cpuMicros").toFixed(1)} µs`,
      });
    }
  },
};
