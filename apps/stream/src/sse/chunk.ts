/** HTTP/1.1 chunks, framed once for all clients that receive the same bytes. */

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
