/** Parts of the writer for suites that combine them with parts of other apps. */
export { buildArchive } from "../archives/build-archive.ts";
export { dueArchives } from "../archives/due-archives.ts";
export { BarKeeper, COMPOSED } from "../bars/bar-keeper.ts";
export { MomentWriter } from "../moments/moment-writer.ts";
export { Outbox } from "../moments/outbox.ts";
export { MarketDesk } from "../prices/market-desk.ts";
