/** P8: memory per connection, measured as a process's growth when many connections are added to a warmed-up server. */
import { setTimeout as pause } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { residentMiBOf } from "../measure/process-figures.ts";
import { FLAGS } from "../ours/service.ts";
import type { PartName } from "../parts.ts";
import { connectClients, type Kind, type StreamServer, startServer } from "../streams/audience.ts";

/** Opened first and kept, so that one-time allocations exist before measuring. */
const FIRST = 1_000;
const MORE = 10_000;
/** Ticks sent to all before each reading, so that write buffers are included. */
const FLUSHES = 20;
const LOOK_MS = 250;
/** Consecutive readings that must agree, the tolerance, and the most readings taken. */
const ALIKE = 4;
const WITHIN_MIB = 0.5;
const MOST_LOOKS = 80;

/** Resident memory once further garbage collection does not change it. */
const settledMiB = async (server: StreamServer): Promise<number> => {
  const looks: number[] = [];
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    await server.run({ flushes: 0, perFlush: 1, everyMs: 0 });
    await pause(LOOK_MS);
    looks.push(residentMiBOf(server.pid));
    const last = looks.slice(-ALIKE);
    if (last.length === ALIKE && Math.max(...last) - Math.min(...last) <= WITHIN_MIB) break;
  }
  return looks.at(-1) ?? Number.NaN;
};

/** KiB per connection, and the readings behind it. */
const heldBy = async (part: PartName, kind: Kind): Promise<{ readonly kib: number; readonly raw: string }> => {
  // With the default young generation its size, not that of connections, would decide.
  const server = await startServer(part, undefined, FLAGS);
  const broadcast = { flushes: FLUSHES, perFlush: 1, everyMs: 500 };
  const first = await connectClients(server, kind, FIRST);
  await server.run(broadcast);
  const before = await settledMiB(server);
  const more = await connectClients(server, kind, MORE);
  await server.run(broadcast);
  const after = await settledMiB(server);
  for (const child of [first, more, server]) await child.stop();
  const raw = `${before.toFixed(0)} MiB with ${FIRST} clients, ${after.toFixed(0)} MiB with ${FIRST + MORE}`;
  return { kib: ((after - before) * 1024) / MORE, raw };
};

const KINDS = [
  { kind: "ws", wire: "WebSocket", bare: "ws-send-loop", bareName: "ws alone", atMost: 12 },
  { kind: "sse", wire: "SSE", bare: "sse-write-loop", bareName: "node:http alone", atMost: 18 },
] as const;

/** The benchmark of the streams' memory. */
export const streamMemory: Bench = {
  ids: ["P8"],
  run: async ({ report }) => {
    for (const { kind, wire, bare, bareName, atMost } of KINDS) {
      const ours = await heldBy("assay-streams", kind);
      const alone = await heldBy(bare, kind);
      report({
        id: "P8",
        what: `resident memory per ${wire} connection`,
        figure: ours.kib,
        unit: "KiB",
        goal: { atMost },
        raw: `ours ${ours.raw}; ${bareName} ${alone.kib.toFixed(1)} KiB, ${alone.raw}`,
      });
    }
  },
};
