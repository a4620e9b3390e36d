/** The receiver of `examples/`, running, and events as the service signs them. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { ROOT } from "./files.ts";

export interface Receiver {
  readonly url: string;
  /** What it printed so far: a line for each event. */
  printed(): string;
  stop(): Promise<void>;
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
};

/** Resolves once it listens, which it says on stderr. */
const untilListening = async ({ stderr, exitCode }: ChildProcess): Promise<void> => {
  if (!stderr) throw new Error("the receiver has no stderr");
  stderr.setEncoding("utf8");
  for await (const text of stderr.iterator({ destroyOnReturn: false })) {
    if (String(text).includes("listening")) return;
    throw new Error(`the receiver did not start: ${String(text)}`);
  }
  throw new Error(`the receiver ended with ${exitCode}`);
};

/** Starts it with the secret of an endpoint. */
export const startReceiver = async (secret: string): Promise<Receiver> => {
  const port = await freePort();
  const child = spawn(process.execPath, [join(ROOT, "examples/alert-receiver.mjs")], {
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  await untilListening(child);
  child.stderr.resume();
  return {
    url: `http://127.0.0.1:${port}/`,
    printed: () => printed,
    stop: async () => {
      child.kill();
      await once(child, "close");
    },
  };
};

/** The headers of an event, signed now with Node's own cryptography. */
export const signedHeaders = (body: string, secret: string, id = "msg_1"): Record<string, string> => {
  const seconds = Math.floor(Date.now() / 1_000);
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
};
