/** The machine's time, randomness and sockets in a room that is passed them. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../workspaces.mjs";
import { layOut } from "./scratch.mjs";

const FORBIDDEN = [
  'import { setTimeout as pause } from "node:timers/promises";',
  'import { connect } from "node:net";',
  'import { request } from "node:https";',
  'import { randomUUID } from "node:crypto";',
  'import { machineTime } from "@assay/ports";',
  'export const lazy = () => import("node:net");',
  "export const clock = Date.now;",
  "export const stamp = () => new Date().toISOString();",
  "export const jitter = () => 10 * Math.random();",
  "export const elapsed = () => performance.now();",
  "export const later = (run) => setTimeout(run, 10);",
  "export const turn = (run) => globalThis.setImmediate(run);",
  "export const again = (run) => setInterval(run, 10);",
  "export const limit = () => AbortSignal.timeout(10);",
  "export const ask = (url) => fetch(url);",
  "export const id = () => crypto.randomUUID();",
];
const ALLOWED = [
  'import { createHash } from "node:crypto";',
  'import { isIP } from "node:net";',
  'import { withClock } from "@assay/ports";',
  "export const at = (ms) => [new Date(ms), Date.UTC(2026, 10, 20), Math.floor(ms)];",
  "export const wait = (clock) => clock.sleep(10);",
];

/** The lines of a file that the linter refuses. */
const refused = (path, lines) => {
  const copied = ["tools/verify/ports.jsonc", "tools/verify/ports.grit"].map((name) => [
    name,
    readFileSync(join(ROOT, name), "utf8"),
  ]);
  const config = { linter: { rules: { preset: "none" } }, extends: ["./tools/verify/ports.jsonc"] };
  const root = layOut({ ...Object.fromEntries(copied), "biome.json": config, [path]: `${lines.join("\n")}\n` });
  const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
  const { stdout } = spawnSync(process.execPath, [biome, "lint", "--reporter=github", "packages"], {
    cwd: root,
    encoding: "utf8",
  });
  const numbers = [...stdout.matchAll(/^::error .*?line=(\d+)/gm)].map(([, line]) => Number(line) - 1);
  return [...new Set(numbers)].sort((a, b) => a - b).map((index) => lines[index]);
};

test("every way past the ports is refused in a room, and what reads nothing of the machine is not", () => {
  expect(refused("packages/services/src/verb.ts", [...FORBIDDEN, ...ALLOWED])).toEqual(FORBIDDEN);
});

test("an adapter and a test read the machine's own", () => {
  expect(refused("packages/live/src/redis/bus.ts", FORBIDDEN)).toEqual([]);
  expect(refused("packages/services/src/verb.test.ts", FORBIDDEN)).toEqual([]);
});
