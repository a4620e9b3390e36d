/** Prints what a bare answer costs on this machine, in microseconds: the measure of what `npm test` costs. */
import { floorMicros } from "./measure/floor.ts";

process.stdout.write(`${(await floorMicros()).toFixed(1)}\n`);
