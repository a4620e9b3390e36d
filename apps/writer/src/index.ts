/** The writer as other apps compose it. */
export { receivers } from "./alerts/receiver.ts";
export { prepareWriter, writerRole } from "./role.ts";
export { preparedHistory } from "./simulated/prepared-history.ts";
export { chooseSources, KNOWN_FEEDS } from "./sources.ts";
export { Writer, type WriterOptions } from "./writer.ts";
