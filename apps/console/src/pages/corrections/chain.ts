/** Whether corrections are what was chained: each matches its digest, and names the one before it. */
import type { Wire } from "@assay/sdk/trpc";

/** What was found of some rows. */
export interface Chain {
  /** Numbers of the rows that are not what was chained. */
  readonly broken: readonly number[];
  /** How many name the digest of the row before them in the list; between the others are rows that the reader's tier does not include. */
  readonly linked: number;
}

/** A value as canonical JSON (RFC 8785): the ledger holds text, whole numbers and null. */
export const canonical = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? `{${Object.entries(value)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`)
        .join(",")}}`
    : JSON.stringify(value);

const sha256 = async (text: string): Promise<string> => {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** Whether this page may compute digests: browsers allow it over https and on the reader's own machine. */
export const canCheck = (): boolean => globalThis.crypto?.subtle !== undefined;

/**
 * Checks rows against their digests, and against each other.
 * @param rows by number, oldest first
 * @param head the newest correction by the signed head, whose digest its row must have
 */
export const checkChain = async (
  rows: readonly Wire.Correction[],
  head: Pick<Wire.ChainHead, "number" | "digest"> | null,
): Promise<Chain> => {
  const digests = await Promise.all(rows.map(({ digest: _, ...entry }) => sha256(canonical(entry))));
  const isLinked = (row: Wire.Correction, at: number): boolean => row.previous !== null && row.previous === rows[at - 1]?.digest;
  const isBroken = (row: Wire.Correction, at: number): boolean =>
    row.digest !== digests[at] ||
    (row.number === head?.number && row.digest !== head.digest) ||
    // With nothing between the two, it must be the one before.
    (rows[at - 1]?.number === row.number - 1 && !isLinked(row, at));
  return {
    broken: rows.filter(isBroken).map(({ number }) => number),
    linked: rows.filter(isLinked).length,
  };
};
