/**
 * `node tools/test/floor.mjs`: prints what a bare node:http server spends on an answer of the size of a price on this machine, in
 * microseconds of CPU. It is the measure of what tests and benchmarks cost.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";

const BODY = JSON.stringify({ text: "x".repeat(302) });
const HEADERS = { "content-type": "application/json", "content-length": BODY.length };
const REQUEST = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
const CONNECTIONS = 64;
const WARM_UP = 30_000;
const REQUESTS = 40_000;
const ROUNDS = 3;
/** Linux counts CPU in hundredths of a second. */
const TICK_MICROS = 10_000;

const serve = () => {
  const server = createServer((_, response) => response.writeHead(200, HEADERS).end(BODY));
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
  process.once("disconnect", () => process.exit());
};

const cpuMicrosOf = (pid) => {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MICROS;
};

/** Asks again on each answer, awake throughout: waking a sleeping client costs the server CPU. */
const load = (port, count) =>
  new Promise((resolve, reject) => {
    let asked = 0;
    let left = count;
    const sockets = Array.from({ length: CONNECTIONS }, () => {
      const socket = connect(port, "127.0.0.1").setNoDelay();
      const ask = () => {
        if (asked < count) socket.write(REQUEST);
        asked += 1;
      };
      // An answer comes in one piece: head and body are one write of less than a segment.
      socket.on("data", () => {
        left -= 1;
        ask();
      });
      return socket.once("connect", ask).once("error", reject);
    });
    const stayAwake = () => {
      if (left > 0) return setImmediate(stayAwake);
      for (const socket of sockets) socket.destroy();
      resolve();
    };
    stayAwake();
  });

const measure = async () => {
  const child = fork(import.meta.filename, ["serve"]);
  const [port] = await once(child, "message");
  await load(port, WARM_UP);
  const rounds = [];
  while (rounds.length < ROUNDS) {
    const before = cpuMicrosOf(child.pid);
    await load(port, REQUESTS);
    rounds.push((cpuMicrosOf(child.pid) - before) / REQUESTS);
  }
  child.disconnect();
  process.stdout.write(`${rounds.toSorted((left, right) => left - right)[1].toFixed(1)}\n`);
};

if (process.argv[2] === "serve") serve();
else await measure();
