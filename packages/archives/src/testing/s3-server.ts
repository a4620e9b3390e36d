/** S3 servers for suites: one in a process of its own, and a proxy before it that adds conditional PUTs. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { S3Bucket } from "../s3-archives.ts";

export interface TestS3 {
  readonly bucket: S3Bucket;
  readonly folder: string;
  /** Kills it as a crash would; its data is kept. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Its command line is not in the package, so the library runs in a dedicated process. */
const LIBRARY = createRequire(import.meta.url).resolve("@20minutes/s3rver");
const program = (options: Record<string, unknown>): string =>
  `new (require(${JSON.stringify(LIBRARY)}))(${JSON.stringify(options)}).run().catch(() => process.exit(1))`;

const freePort = async (): Promise<number> => {
  const server = createSocketServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
};

const answers = async (endpoint: string): Promise<boolean> => {
  try {
    await (await fetch(endpoint)).body?.cancel();
    return true;
  } catch {
    return false;
  }
};

/** Starts a server with one empty bucket. */
export const startTestS3 = async (): Promise<TestS3> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-s3-"));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const buckets = { vhostBuckets: false, configureBuckets: [{ name: "assay" }] };
    const options = { address: "127.0.0.1", port, directory: folder, silent: true, ...buckets };
    child = spawn(process.execPath, ["--eval", program(options)], { stdio: "ignore" });
    while (!(await answers(endpoint))) {
      if (child.exitCode !== null) throw new Error("the S3 server ended");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const stop = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  };
  await start();
  return {
    bucket: {
      bucket: "assay",
      prefix: "metals/bars",
      region: "eu-central-1",
      endpoint,
      credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
    },
    folder,
    stop,
    start,
    close: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export interface ConditionalS3 {
  readonly endpoint: string;
  /** Runs once, when the next PUT has arrived and before its condition is checked. */
  beforePut(work: () => Promise<void>): void;
  /** From now on conditions are ignored, as by a service that does not support them. */
  refuseConditions(): void;
  close(): Promise<void>;
}

const refuse = (response: ServerResponse, status: number, code: string): void =>
  void response.writeHead(status, { "Content-Type": "application/xml" }).end(`<Error><Code>${code}</Code></Error>`);

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/**
 * Starts a proxy.
 * @param upstream the S3 server behind it
 */
export const conditionalS3 = async (upstream: string): Promise<ConditionalS3> => {
  const { hostname, port } = new URL(upstream);
  let work: (() => Promise<void>) | null = null;
  let hasConditions = true;
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = "/", headers } = incoming;
    const { "if-match": match, "if-none-match": noneMatch } = headers;
    const body = await bodyOf(incoming);
    if (method === "PUT" && (match ?? noneMatch) !== undefined) {
      if (!hasConditions) return refuse(response, 501, "NotImplemented");
      const due = work;
      work = null;
      await due?.();
      const { status, headers: known } = await fetch(`${upstream}${url}`, { method: "HEAD" });
      const etag = status === 200 ? known.get("etag") : null;
      if (match === undefined ? etag !== null : etag !== match) return refuse(response, 412, "PreconditionFailed");
    }
    // The Host header is signed, so it is forwarded unchanged.
    const onward = request({ hostname, port, method, path: url, headers });
    onward.end(body);
    const [answer] = (await once(onward, "response")) as [IncomingMessage]; // chunks of a request body
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  };
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    beforePut: (next) => {
      work = next;
    },
    refuseConditions: () => {
      hasConditions = false;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
