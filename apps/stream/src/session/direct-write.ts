/**
 * Writes to the handle of a TCP socket, past Node's stream above it: the kernel nearly always takes a short write at once, and then the
 * stream's own work is a tenth of what a message costs (docs/decisions/0012-streams.md).
 */
import type { Socket } from "node:net";
import { getSystemErrorName } from "node:util";

/** A write the kernel may not take at once. */
interface WriteRequest {
  /** Called when it is written, with 0, or has failed, with the system's negative number. */
  oncomplete?: (status: number) => void;
  /** Keeps the bytes alive until then. */
  buffer?: Buffer;
}

/** A handle, as far as it is used here. */
interface Handle {
  writeBuffer(request: WriteRequest, bytes: Buffer): number;
}

/** Node's binding of streams, as far as it is used here. */
interface StreamBinding {
  readonly WriteWrap: new () => WriteRequest;
  /** The results of the last call, by index. */
  readonly streamBaseState: Int32Array;
  readonly kLastWriteWasAsync: number;
}

/** Null on a Node without it, or that does not permit its use. */
const findBinding = (): StreamBinding | null => {
  try {
    const { binding } = process as { binding?: (name: string) => Partial<StreamBinding> }; // its types omit it
    const { WriteWrap, streamBaseState, kLastWriteWasAsync } = binding?.("stream_wrap") ?? {};
    if (!WriteWrap || !(streamBaseState instanceof Int32Array) || kLastWriteWasAsync === undefined) return null;
    return streamBaseState[kLastWriteWasAsync] === undefined ? null : { WriteWrap, streamBaseState, kLastWriteWasAsync };
  } catch {
    return null;
  }
};

const BINDING = findBinding();

const handleOf = (socket: Socket): Handle | null | undefined => (socket as { _handle?: Handle | null })._handle; // its types omit it

/** Whether a socket can be written to directly: over TCP, without encryption, on a Node that allows it. */
export const isDirect = (socket: Socket): boolean => {
  const handle = handleOf(socket);
  return BINDING !== null && handle?.constructor.name === "TCP" && typeof handle.writeBuffer === "function";
};

/** The error that Node reports when a write fails. */
const writeError = (status: number): Error => {
  const code = getSystemErrorName(status);
  return Object.assign(new Error(`write ${code}`), { errno: status, code, syscall: "write" });
};

/** The request of the next write. One that is not needed, as the kernel took everything, is used again. */
let spare: WriteRequest | null = null;

/** What a connection has written directly and the kernel has not taken yet. */
export interface DirectQueue {
  /** In bytes: all of the write, as Node's stream counts its own. */
  queued: number;
}

/**
 * Writes bytes to a socket for which `isDirect` holds and whose stream and queue are empty, so that nothing is overtaken. What is
 * written to the stream meanwhile comes after them, as both end in the handle's queue.
 * @param queue set when the kernel does not take everything at once, and cleared when it has
 * @returns false, and nothing is written, when the stream must do it: the socket is closed, or has a timeout to put off
 */
export const writeDirect = (socket: Socket, bytes: Buffer, queue: DirectQueue): boolean => {
  const handle = handleOf(socket);
  if (!BINDING || !handle || !socket.writable || socket.timeout) return false;
  spare ??= new BINDING.WriteWrap();
  const request = spare;
  const status = handle.writeBuffer(request, bytes);
  if (status === 0 && BINDING.streamBaseState[BINDING.kLastWriteWasAsync] === 0) return true;
  spare = null;
  if (status !== 0) {
    socket.destroy(writeError(status));
    return true;
  }
  queue.queued = bytes.length;
  request.buffer = bytes;
  request.oncomplete = (late) => {
    queue.queued = 0;
    if (late !== 0 && !socket.destroyed) socket.destroy(writeError(late));
  };
  return true;
};
