/** Chunks of HTTP/1.1, framed once for all clients that are sent the same bytes. */

/** Chunks live as long as the bytes in them are shared. */
const framed = new WeakMap<Buffer, Buffer>();

/** Bytes as one chunk. */
export const chunk = (bytes: Buffer): Buffer => {
  const known = framed.get(bytes);
  if (known) return known;
  const made = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
  framed.set(bytes, made);
  return made;
};
