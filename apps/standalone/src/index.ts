/** Everything in one process, as the command runs it. */
export { type OpenCommands, runStandalone } from "./run.ts";
