/** A suite's own S3 server: a process that checks signatures and expiry, and can be killed and restarted. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { S3Bucket } from "../s3/s3-settings.ts";

/** A running server. */
export interface TestS3 {
  readonly bucket: S3Bucket;
  /** The folder with its objects. */
  readonly folder: string;
  /** Kills it as a crash would; its data is kept. */
  stop(): Promise<void>;
  /** Restarts it at the same address. */
  start(): Promise<void>;
  /** Stops it and deletes its folder. */
  close(): Promise<void>;
}

/** Its command line is not in the package, so the library runs in a dedicated process. */
const LIBRARY = createRequire(import.meta.url).resolve("@20minutes/s3rver");
const program = (options: Record<string, unknown>): string =>
  `new (require(${JSON.stringify(LIBRARY)}))(${JSON.stringify(options)}).run().catch(() => process.exit(1))`;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
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
