/** Deterministic signal ids: the same for the same edge in any process. */

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const MASK = (1n << 64n) - 1n;

/**
 * The id of an edge: FNV-1a of its identity, which excludes prices and sizes.
 * @param parts metal, expiry, and both markets
 * @returns `arb_` and 16 hexadecimal digits
 */
export const signalId = (parts: readonly string[]): string => {
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(parts.join("\n"))) hash = ((hash ^ BigInt(byte)) * PRIME) & MASK;
  return `arb_${hash.toString(16).padStart(16, "0")}`;
};
