/** The floor of this machine: what bare node:http spends on an answer of the size of a price. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PROGRAM = fileURLToPath(new URL("../../../tools/test/floor.mjs", import.meta.url));

/** CPU of one answer in microseconds, the median of a few rounds; takes five seconds. */
export const floorMicros = async (): Promise<number> => Number((await promisify(execFile)(process.execPath, [PROGRAM])).stdout);
