/** The floor of this machine: what bare node:http spends on an answer of the size of a price. */
import { startPart } from "./child.ts";
import { type Loader, loadOnce } from "./compare.ts";
import { requestOf } from "./same-bytes.ts";
import { median } from "./statistics.ts";

/** The length of a spot price in JSON. */
const BODY = JSON.stringify({ text: "x".repeat(302) });
const HEADERS = { "content-type": "application/json", "content-length": String(BODY.length) };
const LOAD = { connections: 64, isBusy: true };
const WARM_UP = 30_000;
const REQUESTS = 40_000;
const ROUNDS = 3;

/** CPU of one answer in microseconds, the median of a few rounds; takes five seconds. */
export const floorMicros = async (): Promise<number> => {
  const loader: Loader = await startPart("load", null);
  const child = await startPart<{ port: number }>("bare-http", { headers: HEADERS, body: BODY });
  const target = { child, port: child.ready.port, request: requestOf("/", null) };
  await loadOnce(loader, target, LOAD, WARM_UP);
  const rounds: number[] = [];
  while (rounds.length < ROUNDS) rounds.push((await loadOnce(loader, target, LOAD, REQUESTS)).cpuMicros);
  await Promise.all([child.stop(), loader.stop()]);
  return median(rounds);
};
