/** What a command does when its output cannot be written: its reader has left, as after `assay keys list | head -1`, or a disk is full. */

/** Nobody reads: whoever closed the pipe has what it wanted. */
const isClosed = (error: NodeJS.ErrnoException): boolean => error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED";

/**
 * Lets a command go on to its end without a reader, and a service serve; any other failure to write is one line on stderr and
 * exit 1, since what was lost may be a key that is shown once.
 */
export const survivesClosedOutput = ({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr">): void => {
  let isReported = false;
  stdout.on("error", (error) => {
    if (isClosed(error) || isReported) return;
    isReported = true;
    stderr.write(`assay: the output could not be written: ${error.message}\n`);
    process.once("exit", () => {
      process.exitCode = 1;
    });
  });
  // Nowhere is left to say so.
  stderr.on("error", () => {});
};
