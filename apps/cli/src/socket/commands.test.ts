/** Commands asked of a running service over its socket, in one process. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findImport, listKeys, type Store, StoreHeldError } from "@assay/db";
import { changeEndpoint, openEmbeddedStore, putAlert } from "@assay/db/testing";
import { type Live, type MarketEvent, openMemoryLive, silentLog } from "@assay/live";
import { silentProgress } from "@assay/process/progress";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { fixture, NOW_MS, seriesOf } from "../import/testing/trial.ts";
import type { Output } from "../output.ts";
import { askService, heldLine, type LocalCommand } from "./ask.ts";
import { MAX_PATH_BYTES, socketPath } from "./protocol.ts";
import { serveCommands } from "./serve.ts";

let store: Store;
let live: Live;
let dataDir: string;
let close: () => Promise<void>;
beforeAll(async () => {
  store = await openEmbeddedStore();
});
afterAll(() => store.close());

const serve = (folder: string, warn = (_fields: object): void => {}) =>
  serveCommands({ dataDir: folder, store, live, clock: () => NOW_MS, log: { ...silentLog, warn } });
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "assay-socket-"));
  live = openMemoryLive({ clock: () => NOW_MS });
  close = await serve(dataDir);
});
afterEach(async () => {
  await close();
  await live.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface Asking {
  readonly folder?: string;
  readonly databaseUrl?: string;
  readonly signal?: AbortSignal;
  /** Called with each step that begins. */
  readonly heard?: (label: string) => void;
}

/** Asks the service of a folder, as the command does. */
const ask = async (asked: LocalCommand, { folder = dataDir, databaseUrl, signal, heard = () => {} }: Asking = {}) => {
  const [out, err]: [string[], string[]] = [[], []];
  const output: Output = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    progress: {
      ...silentProgress,
      step: (label, total) => {
        heard(label);
        return silentProgress.step(label, total);
      },
    },
  };
  const exit = await askService({ databaseUrl, dataDir: folder }, asked, output, signal ?? new AbortController().signal);
  return { exit, out: out.join(""), err: err.join("") };
};

const importing = async (path: string, symbol = "GC"): Promise<LocalCommand> => ({
  command: "import",
  args: ["--symbol", symbol, "--interval", "1m", "--timezone", "UTC", path],
  files: [{ path, bytes: (await stat(path)).size }],
});
const keys = (...args: string[]): LocalCommand => ({ command: "keys", args, files: [] });
const creating = (org: string): LocalCommand => keys("create", "--org", org, "--tier", "pro");

/** The head of a request, as the command sends it. */
const headOf = (target: string, method = "POST"): string =>
  `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** Sends bytes as another program might, and reads what is answered up to the exit code. */
const sendRaw = async (text: string): Promise<string> => {
  const socket = createConnection(socketPath(dataDir));
  let answered = "";
  socket.on("data", (piece) => {
    answered += piece;
    if (answered.includes('"exit"')) socket.end();
  });
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return answered;
};

/** Leaves a socket that nothing listens on, as a process that was killed does. */
const leaveSocket = async (path: string): Promise<void> => {
  const server = createServer().listen(path);
  await once(server, "listening");
  await rename(path, `${path}.kept`);
  server.close();
  await once(server, "close");
  await rename(`${path}.kept`, path);
};

test("alerts of an organisation are listed, suspended and resumed, and endpoints that fail are listed without what is secret of them", async () => {
  const at = { endpoint: "ep_1", url: "https://receiver.example:8443/hook?token=secret" };
  await putAlert(store, { id: "al_1" }, { id: at.endpoint, orgId: "Shop", url: at.url });
  const run = async (...[command, ...args]: ["alerts" | "endpoints", ...string[]]) =>
    JSON.parse((await ask({ command, args, files: [] })).out);
  const listed = async () => (await run("alerts", "list", "Shop")).alerts[0];
  expect(await listed()).toMatchObject({ id: "al_1", state: "armed", paused_reason: null });
  const suspended_at = new Date(NOW_MS).toISOString().replace(".000Z", "Z");
  expect(await run("alerts", "suspend", "Shop")).toEqual({ org: "Shop", suspended_at });
  expect(await listed()).toMatchObject({ paused_reason: "suspended" });
  expect(await run("alerts", "resume", "Shop")).toEqual({ org: "Shop", suspended_at: null });
  expect(await run("endpoints", "list", "--failing")).toEqual([]);
  await changeEndpoint(store, at.endpoint, { failingSinceMs: NOW_MS });
  const failing = await run("endpoints", "list", "--failing");
  expect(failing).toMatchObject([{ id: "ep_1", org: "Shop", url: "https://receiver.example:8443", pending: 0 }]);
  expect(JSON.stringify(failing)).not.toMatch(/secret|whsec/);
  const unknown = await ask({ command: "alerts", args: ["suspend", "Nobody"], files: [] });
  expect(unknown).toEqual({ exit: 1, out: "", err: 'no organisation has the name "Nobody"\n' });
});

test("a caller that does not read its answer does not keep the service from ending", async () => {
  const socket = createConnection(socketPath(dataDir));
  // More than the kernel holds for a reader: it comes back in the message that says it is wrong.
  socket.write(headOf(`/keys?arg=${"x".repeat(900_000)}`));
  await once(socket, "readable");
  await close();
  close = await serve(dataDir);
  socket.destroy();
});

describe("a command", () => {
  test("is run with the store of the service, and printed where it was asked", async () => {
    const { exit, out, err } = await ask(creating("Asked Ltd"));
    expect([exit, err]).toEqual([0, ""]);
    const { id } = JSON.parse(out);
    expect((await listKeys(store)).find((key) => key.id === id)).toMatchObject({ orgName: "Asked Ltd", createdAtMs: NOW_MS });
  });

  test("announces on the bus of the service what it changed", async () => {
    const events: MarketEvent[] = [];
    await live.bus.subscribe((event) => void events.push(event), { onGap: () => {} });
    const { id } = JSON.parse((await ask(creating("Revoked Ltd"))).out);
    await ask(keys("tier", "Revoked Ltd", "free"));
    await ask(keys("revoke", id));
    const asked = await importing(fixture("metatrader-5.csv"), "HG");
    await ask({ ...asked, args: ["--scale", "0.001", ...asked.args] });
    expect(events).toMatchObject([
      { kind: "key-changed", revokedAtMs: null },
      { kind: "key-changed", revokedAtMs: NOW_MS },
      { kind: "bars-replaced", symbol: "HG" },
    ]);
  });

  test("fails with its own line and exit code, and the service goes on", async () => {
    expect(await ask(keys("revoke", "nobody's"))).toEqual({ exit: 1, out: "", err: "no key has the id nobody's\n" });
    const { exit, err } = await ask(keys("create", "--org", "X", "--tier", "gold"));
    expect([exit, err.split("\n")[0]]).toEqual([1, expect.stringMatching(/--tier.*Allowed choices/)]);
    expect((await ask(keys("--help"))).out).toContain("Usage: assay keys");
    expect((await ask(keys("list"))).exit).toBe(0);
  });

  test("runs beside others", async () => {
    const asked = ["A", "B", "C", "D", "E", "F"].map((name) => ask(creating(`Beside ${name} Ltd`)));
    const path = fixture("metatrader-5.csv");
    const answers = await Promise.all([...asked, ask(await importing(path)), ask(await importing(path, "SI"))]);
    // The file's prices are gold's.
    expect(answers.map(({ exit }) => exit)).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    const orgs = (await listKeys(store)).map(({ orgName }) => orgName).filter((name) => name.startsWith("Beside"));
    expect(orgs.toSorted()).toEqual(["A", "B", "C", "D", "E", "F"].map((name) => `Beside ${name} Ltd`));
  });
});

describe("an import", () => {
  const minutes = (count: number): string => {
    const rows = Array.from({ length: count }, (_, index) => {
      const time = new Date(Date.UTC(2021, 0, 1) + index * 60_000).toISOString().slice(0, 19);
      return `${time},1500.0,1501.0,1499.0,1500.5,1`;
    });
    return `time,Open,High,Low,Close,Volume\n${rows.join("\n")}\n`;
  };

  test("reads what it was sent, names files as they were written, and keeps none of them", async () => {
    const path = fixture("dukascopy-node.csv");
    const steps: string[] = [];
    const { exit, out } = await ask(await importing(path), { heard: (label) => void steps.push(label) });
    expect([exit, out.split(":")[0]]).toEqual([0, path]);
    expect(steps).toEqual([`sending ${path}`, `checking ${path}`, `writing ${path}`]);
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
    expect((await ask(await importing(path))).out).toMatch(/skipped, its \d+ rows were imported/);
  });

  test("stops when its caller hangs up, while it is sent and while it runs, and can be run again", async () => {
    const path = join(dataDir, "long.csv");
    await writeFile(path, minutes(20_000));
    for (const step of ["sending", "checking", "writing"]) {
      const stopping = new AbortController();
      const heard = (label: string): void => {
        if (label.startsWith(step)) stopping.abort();
      };
      const answer = await ask(await importing(path), { signal: stopping.signal, heard });
      expect(answer, step).toEqual({ exit: 1, out: "", err: "stopped; run the import again to finish\n" });
      expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
    }
    expect((await ask(await importing(path))).exit).toBe(0);
    expect((await seriesOf(store, "GC", "1m")).filter(({ volume }) => volume === "1")).toHaveLength(20_000);
  });

  test("stops when the service shuts down, which waits for it", async () => {
    const path = join(dataDir, "longer.csv");
    await writeFile(path, minutes(20_001));
    let closing: Promise<void> | undefined;
    const heard = (label: string): void => {
      if (label.startsWith("checking")) closing = close();
    };
    const answer = await ask(await importing(path), { heard });
    expect(answer).toEqual({ exit: 1, out: "", err: "the service is shutting down; run the import again to finish\n" });
    await closing;
    expect(existsSync(socketPath(dataDir))).toBe(false);
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
    expect((await ask(creating("Late Ltd"))).exit).toBeNull();
    close = await serve(dataDir);
  });

  test("is refused when its files would fill the disk, before they are sent", async () => {
    const path = join(dataDir, "sparse.csv");
    await writeFile(path, "");
    await truncate(path, 2 ** 43);
    const { exit, err } = await ask(await importing(path));
    expect([exit, err]).toEqual([1, expect.stringMatching(/^the disk of DATA_DIR has \d+ MB free; .* takes \d+ MB\n$/)]);
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
  });

  test("does not open a file of the service that its caller only names", async () => {
    const path = join(dataDir, "mine.csv");
    await writeFile(path, minutes(5));
    const { exit, err } = await ask({ ...(await importing(path)), files: [] });
    expect([exit, err]).toEqual([1, `${path}: it was not sent\n`]);
    expect(await findImport(store, { fileDigest: "", symbol: "GC", interval: "1m" })).toBeNull();
  });
});

describe("what is no command", () => {
  test.each([
    ["another command", headOf("/start?")],
    ["another parameter", headOf("/keys?arg=list&as=root")],
    ["another method", headOf("/keys?arg=list", "GET")],
    ["a size that is none", headOf("/import?bytes=-1")],
    ["a target that is none", headOf("//")],
    ["a line of two megabytes", headOf(`/keys?arg=${"x".repeat(2_097_152)}`)],
    ["no HTTP", '{"command":"keys","args":[],"files":[]}\n'],
  ])("is refused: %s", async (_, text) => {
    expect(await sendRaw(text)).toMatch(/{"err":"the running service does not know this command.*\n[^{]*{"exit":1}\n/);
    expect((await ask(keys("list"))).exit).toBe(0);
  });

  test("is said to be of another release by a command whose service speaks no HTTP", async () => {
    const folder = join(dataDir, "older");
    await mkdir(folder);
    const older = createServer((socket) => socket.end('{"exit":1}\n')).listen(socketPath(folder));
    await once(older, "listening");
    await expect(ask(keys("list"), { folder })).rejects.toThrow(/may be of another release$/);
    older.close();
  });

  test("does not delay the end of the service: a connection that asks nothing is cut", async () => {
    const socket = createConnection(socketPath(dataDir));
    await once(socket, "connect");
    await Promise.all([once(socket.resume(), "close"), close()]);
  });
});

describe("the socket", () => {
  test("is its owner's alone from the start, whatever the umask, and leaves the umask as it was", async () => {
    const folder = join(dataDir, "open");
    await mkdir(folder);
    await chmod(folder, 0o777);
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const end = await serve(folder);
    expect(process.umask()).toBe(0);
    expect((await stat(socketPath(folder))).mode & 0o777).toBe(0o600);
    await end();
  });

  test("replaces one that a killed service left, with the files it was sent", async () => {
    const folder = join(dataDir, "left");
    await mkdir(join(folder, "uploads", "import-abc"), { recursive: true });
    await leaveSocket(socketPath(folder));
    expect((await ask(creating("Early Ltd"), { folder })).exit).toBeNull();
    const end = await serve(folder);
    expect((await ask(creating("Replaced Ltd"), { folder })).exit).toBe(0);
    expect(existsSync(join(folder, "uploads"))).toBe(false);
    await end();
  });

  test("is not asked where there is none, where a file has its name, or for a database server", async () => {
    const folder = join(dataDir, "empty");
    await mkdir(folder);
    expect((await ask(creating("No Ltd"), { folder })).exit).toBeNull();
    await writeFile(socketPath(folder), "");
    expect((await ask(creating("No Ltd"), { folder })).exit).toBeNull();
    expect((await ask(creating("No Ltd"), { databaseUrl: "postgres://db" })).exit).toBeNull();
  });

  test("with too long a path is not opened, which the log and the command say", async () => {
    const folder = join(dataDir, "x".repeat(MAX_PATH_BYTES));
    await mkdir(folder);
    const warnings: object[] = [];
    const end = await serve(folder, (fields) => void warnings.push(fields));
    expect(warnings).toMatchObject([{ reason: expect.stringMatching(/^its path has \d+ bytes, of at most 107$/) }]);
    expect((await ask(creating("Long Ltd"), { folder })).exit).toBeNull();
    const held = new StoreHeldError({ pid: 7, sinceMs: NOW_MS });
    expect(heldLine(held, folder)).toMatch(/in use by process 7 .*assay\.sock is too long .* 107 bytes\), so stop it first$/);
    expect(heldLine(held, dataDir)).toMatch(/in use by process 7 .*, and takes no commands at .*assay\.sock: /);
    await end();
  });
});
