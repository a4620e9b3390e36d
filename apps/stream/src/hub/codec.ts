/** Encodes frames for each transport, and frames bytes as HTTP/1.1 chunks. */
import type { SseEvent } from "@assay/contract";

/** A transport's encoding. Its bytes may be concatenated and written as they are. */
export interface Codec {
  readonly kind: "ws" | "sse";
  tick(json: string, id: string): Buffer;
  /** Any other frame; its name is included where the transport has event names. */
  event(name: SseEvent, json: string): Buffer;
}

const TEXT_FRAME = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** A whole text message as one unmasked frame of RFC 6455, as servers send it. */
export const textFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text);
  const headLength = length < LENGTH_16 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = TEXT_FRAME;
  if (headLength === 2) frame[1] = length;
  else if (headLength === 4) {
    frame[1] = LENGTH_16;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_64;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headLength, "utf8");
  return frame;
};

/** The protocol's ping without content: the same bytes for everyone. */
export const PING: Buffer = Buffer.from([0x89, 0]);

/** WebSocket: one frame per message. */
export const WS: Codec = {
  kind: "ws",
  tick: (json) => textFrame(json),
  event: (_name, json) => textFrame(json),
};

/** Server-sent events: ticks have an id but no event name, so that `onmessage` receives them and a reconnect resumes. */
export const SSE: Codec = {
  kind: "sse",
  tick: (json, id) => Buffer.from(`id: ${id}\ndata: ${json}\n\n`),
  event: (name, json) => Buffer.from(`${name === "heartbeat" ? ": heartbeat\n\n" : ""}event: ${name}\ndata: ${json}\n\n`),
};

/** A chunk is cached as long as its bytes are alive. */
const framed = new WeakMap<Buffer, Buffer>();

/** Bytes as one chunk. */
export const chunk = (bytes: Buffer): Buffer => {
  const known = framed.get(bytes);
  if (known) return known;
  const made = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
  framed.set(bytes, made);
  return made;
};
