/** `npm start`: everything in one process on the embedded engines. */
import { run } from "./run.mjs";

await run("apps/standalone/dist/main.js", process.argv.slice(2));
