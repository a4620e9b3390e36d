/** A thread for tests that follows its order: answer, fail, exit, or hang. */
import { parentPort, threadId } from "node:worker_threads";

let asked = 0;
parentPort.on("message", (order) => {
  asked += 1;
  if (order === -1) throw new Error("as ordered");
  if (order === -2) process.exit(3);
  if (order === -3) for (;;);
  parentPort.postMessage({ thread: threadId, asked });
});
