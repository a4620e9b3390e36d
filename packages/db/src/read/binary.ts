/** Decodes binary numbers as PostgreSQL sends them: big-endian, as `\x` and hexadecimal digits. */

/** The bytes of a `bytea` in text form. */
const fromHex = (bytea: Uint8Array<ArrayBuffer> | null | undefined): Buffer<ArrayBuffer> => {
  if (!bytea) return Buffer.from(new ArrayBuffer(0));
  const digits = Buffer.from(bytea.buffer, bytea.byteOffset, bytea.byteLength).toString("latin1", 2);
  const target = Buffer.from(new ArrayBuffer(digits.length / 2));
  target.write(digits, "hex");
  return target;
};

// Typed arrays need little-endian, as on every machine Node runs on; swapping is in place.

/** Decodes `string_agg(float8send(…), '')`. */
export const float64sFrom = (bytea: Uint8Array<ArrayBuffer> | null | undefined): Float64Array<ArrayBuffer> =>
  new Float64Array(fromHex(bytea).swap64().buffer);

/** Decodes `string_agg(int8send(…), '')`. */
export const int64sFrom = (bytea: Uint8Array<ArrayBuffer> | null | undefined): BigInt64Array<ArrayBuffer> =>
  new BigInt64Array(fromHex(bytea).swap64().buffer);

/** Decodes `string_agg(int4send(…), '')`. */
export const int32sFrom = (bytea: Uint8Array<ArrayBuffer> | null | undefined): Int32Array<ArrayBuffer> =>
  new Int32Array(fromHex(bytea).swap32().buffer);
