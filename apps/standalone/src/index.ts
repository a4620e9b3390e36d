/** Everything in one process, as the command runs it. */
export { runStandalone } from "./run.ts";
