/**
 * Writes to a socket: to its TCP handle, past Node's stream above it, while nothing waits. The kernel nearly always takes a short write
 * at once, and then the stream's own work is a tenth of what a message costs (docs/decisions/0012-streams.md).
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

/** The handle of a socket that can be written to directly: over TCP, without encryption or a timeout, on a Node that allows it. */
const directHandleOf = (socket: Socket): Handle | null => {
  const { _handle: handle } = socket as { _handle?: Handle | null }; // its types omit it
  const isDirect = BINDING !== null && handle?.constructor.name === "TCP" && typeof handle.writeBuffer === "function";
  // A write to the stream puts a timeout off, one to the handle does not.
  return isDirect && !socket.timeout ? handle : null;
};

/** The error that Node reports when a write fails. */
const writeError = (status: number): Error => {
  const code = getSystemErrorName(status);
  return Object.assign(new Error(`write ${code}`), { errno: status, code, syscall: "write" });
};

/** The request of the next write. One that is not needed, as the kernel took everything, is used again. */
let spare: WriteRequest | null = null;

/**
 * Writes whole frames to a socket. Others may write to its stream meanwhile: what they have put there first may arrive later, but never
 * inside a frame, as both end in the handle's queue.
 */
export class SocketWriter {
  readonly #socket: Socket;
  /** Null when the stream must do everything. */
  readonly #handle: Handle | null;
  /**
   * Whether the stream may hold something. While it does not, a write touches neither the socket nor its state, which with many
   * clients are in no cache.
   */
  #usesStream = true;
  /** Bytes of a direct write that the kernel has not taken: all of the write, as Node's stream counts its own. */
  #queued = 0;

  /** @param socket an open one, without a timeout from now on */
  constructor(socket: Socket) {
    this.#socket = socket;
    this.#handle = directHandleOf(socket);
  }

  /** Bytes that the kernel has not taken. */
  get backlog(): number {
    return this.#socket.writableLength + this.#queued;
  }

  /** Whether the kernel has taken everything that was written here, or to the stream when `noteStream` was told. */
  isIdle(): boolean {
    if (this.#queued > 0) return false;
    if (!this.#usesStream) return true;
    if (this.#socket.writableLength > 0) return false;
    this.#usesStream = this.#handle === null;
    return true;
  }

  /** Notes that someone has written to the stream. */
  noteStream(): void {
    this.#usesStream = true;
  }

  /** Writes bytes; those the kernel does not take at once are a backlog. */
  write(bytes: Buffer): void {
    if (BINDING !== null && this.#handle !== null && this.isIdle()) this.#writeTo(BINDING, this.#handle, bytes);
    else {
      this.noteStream();
      this.#socket.write(bytes);
    }
  }

  #writeTo(binding: StreamBinding, handle: Handle, bytes: Buffer): void {
    spare ??= new binding.WriteWrap();
    const request = spare;
    const status = handle.writeBuffer(request, bytes);
    if (status === 0 && binding.streamBaseState[binding.kLastWriteWasAsync] === 0) return;
    spare = null;
    if (status !== 0) {
      this.#fail(status);
      return;
    }
    this.#queued = bytes.length;
    request.buffer = bytes;
    request.oncomplete = (late) => {
      this.#queued = 0;
      if (late !== 0) this.#fail(late);
    };
  }

  /** A handle that is closed reports an error too, which is no news. */
  #fail(status: number): void {
    if (!this.#socket.destroyed) this.#socket.destroy(writeError(status));
  }
}
