/**
 * A lock on a folder that ends with its process and is never taken from a live one.
 *
 * Each contender first listens on its own Unix socket, then claims the next number: `claim-7` is created by a hard link, which
 * exactly one process can do. The highest claim holds the lock as long as its socket accepts connections. The kernel decides
 * that: a killed process stops accepting at once, a frozen or busy one does not, and a reused process id or another container
 * makes no difference. The highest claim is never removed, so that a late starter cannot claim it again.
 */
import { randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createConnection, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { StoreHeldError } from "../errors.ts";

export interface FolderLock {
  release(): Promise<void>;
}

interface Claim {
  readonly pid: number;
  readonly sinceMs: number;
  /** Its socket: a name in the folder, or a full path where the folder's file system does not support sockets. */
  readonly socket: string;
}

/** Socket addresses are limited to about a hundred bytes; folder paths can be longer. */
const ADDRESS_BYTES = 100;

const isCode = (error: unknown, ...codes: string[]) =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));

/** Runs with a socket address that is short enough, through a temporary symbolic link when the path is too long. */
const withAddress = async <T>(folder: string, socket: string, call: (address: string) => Promise<T>): Promise<T> => {
  if (process.platform === "win32") return call(`\\\\.\\pipe\\assay-${socket}`);
  const direct = resolve(folder, socket);
  if (Buffer.byteLength(direct) <= ADDRESS_BYTES) return call(direct);
  const detour = join(tmpdir(), `assay-${randomUUID().slice(0, 8)}`);
  await symlink(folder, detour);
  try {
    return await call(join(detour, socket));
  } finally {
    await rm(detour, { force: true });
  }
};

const listenAt = (address: string) =>
  new Promise<Server>((done, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once("error", reject);
    server.listen(address, () => done(server.unref()));
  });

const listen = async (folder: string) => {
  const name = `${process.pid}-${randomUUID().slice(0, 8)}.sock`;
  try {
    return { socket: name, server: await withAddress(folder, name, listenAt) };
  } catch (error) {
    if (!isCode(error, "ENOTSUP", "EOPNOTSUPP", "EPERM", "EINVAL")) throw error;
    // Folders shared into a virtual machine often do not support sockets.
    const socket = join(tmpdir(), `assay-${name}`);
    return { socket, server: await listenAt(socket) };
  }
};

const accepts = (address: string): Promise<boolean> =>
  new Promise((done, reject) => {
    const connection = createConnection(address);
    connection.once("connect", () => {
      connection.destroy();
      done(true);
    });
    connection.once("error", (error) => {
      // Only these two mean that no process listens. A full backlog, for example, means that one does.
      if (isCode(error, "ECONNREFUSED", "ENOENT")) done(false);
      else if (isCode(error, "EAGAIN")) done(true);
      // It closed while we were in its queue; check again.
      else if (isCode(error, "ECONNRESET")) done(accepts(address));
      else reject(error);
    });
  });

const claimNumbers = async (folder: string) =>
  (await readdir(folder))
    .map((name) => /^claim-(\d+)$/.exec(name))
    .filter((match) => match !== null)
    .map((match) => Number(match[1]));

const readClaim = async (folder: string, number: number): Promise<Claim | null> => {
  try {
    return JSON.parse(await readFile(join(folder, `claim-${number}`), "utf8")) as Claim; // linked as a complete file by `lockFolder`
  } catch (error) {
    // A newer holder deleted it between our two checks.
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
};

/** Deletes what earlier holders left. A socket that accepts belongs to a starter that has lost but does not know it yet. */
const sweepBelow = async (folder: string, number: number) => {
  for (const earlier of (await claimNumbers(folder)).filter((other) => other < number)) {
    const claim = await readClaim(folder, earlier);
    if (claim && !(await withAddress(folder, claim.socket, accepts))) await rm(resolve(folder, claim.socket), { force: true });
    await rm(join(folder, `claim-${earlier}`), { force: true });
  }
};

/** Makes the next claim. False when another process was faster and the folder must be checked again. */
const tryClaim = async (folder: string, draft: string): Promise<boolean> => {
  const highest = Math.max(0, ...(await claimNumbers(folder)));
  if (highest > 0) {
    const claim = await readClaim(folder, highest);
    if (!claim) return false;
    if (await withAddress(folder, claim.socket, accepts)) throw new StoreHeldError(claim);
  }
  const mine = highest + 1;
  try {
    await link(draft, join(folder, `claim-${mine}`));
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
  // The number may have been used and deleted since we listed the folder; then a higher claim exists, and it is the holder's. A
  // listing may miss files created and deleted during it, but a process with a higher claim has deleted the one we built on.
  const isOvertaken = Math.max(...(await claimNumbers(folder))) > mine || (highest > 0 && !(await readClaim(folder, highest)));
  if (isOvertaken) {
    await rm(join(folder, `claim-${mine}`), { force: true });
    return false;
  }
  await sweepBelow(folder, mine);
  return true;
};

/**
 * Acquires the lock.
 * @param folder the lock's own folder; created when missing
 * @param now epoch milliseconds
 * @throws StoreHeldError while a live process holds it, including this one
 */
export const lockFolder = async (folder: string, now: () => number): Promise<FolderLock> => {
  await mkdir(folder, { recursive: true });
  const { socket, server } = await listen(folder);
  const draft = join(folder, `draft-${randomUUID()}`);
  const release = async () => {
    await new Promise((done) => server.close(done));
    await rm(resolve(folder, socket), { force: true });
  };
  try {
    const claim: Claim = { pid: process.pid, sinceMs: now(), socket };
    await writeFile(draft, JSON.stringify(claim));
    while (!(await tryClaim(folder, draft)));
    return { release };
  } catch (error) {
    await release();
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
};
