/** Parts of the writer for suites that combine them with parts of other apps. */

export { dueArchives } from "../archives/archive-keeper.ts";
export { buildArchive } from "../archives/build-archive.ts";
export { BarKeeper, COMPOSED } from "../bars/bar-keeper.ts";
export { EventQueue } from "../moments/event-queue.ts";
export { MomentWriter } from "../moments/moment-writer.ts";
export { MarketDesk } from "../prices/market-desk.ts";
export { inProcess } from "./in-process.ts";
