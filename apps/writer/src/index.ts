/** The writer as other apps compose it. */
export { receivers } from "./alerts/receiver.ts";
export { runWriter } from "./run.ts";
export { refuseSimulatedPast } from "./simulated/leftover.ts";
export { preparedHistory } from "./simulated/prepared-history.ts";
export { chooseSources, KNOWN_FEEDS, type Sources } from "./sources.ts";
export { checkStoredSymbols } from "./stored-symbols.ts";
export { workerThreads } from "./threads/threads.ts";
export { Writer, type WriterOptions } from "./writer.ts";
export { type WriterLog, writerLog } from "./writer-log.ts";
