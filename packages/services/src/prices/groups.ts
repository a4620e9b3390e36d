/** The optional groups of a spot row, selected by ?include=. */

export interface Groups {
  readonly sources: boolean;
  /** What the price is made of: with sources, and in every receipt. */
  readonly parts: boolean;
  readonly karat: boolean;
  readonly stats: boolean;
}

const NONE: Groups = { sources: false, parts: false, karat: false, stats: false };

/**
 * Parses ?include=. Unknown tokens are ignored; `all` means every group the caller may see.
 * @param include comma-separated tokens
 * @param caller.isKnown `stats` is omitted for anonymous callers
 * @param caller.isReceipt whether the answer is to be signed
 */
export const readGroups = (
  include: string | undefined,
  { isKnown, isReceipt }: { readonly isKnown: boolean; readonly isReceipt: boolean },
): Groups => {
  if (include === undefined) return isReceipt ? { ...NONE, parts: true } : NONE;
  const tokens = new Set(
    include
      .toLowerCase()
      .split(",")
      .map((token) => token.trim()),
  );
  const all = tokens.has("all");
  return {
    sources: all || tokens.has("sources"),
    parts: all || tokens.has("sources") || isReceipt,
    karat: all || tokens.has("karat"),
    stats: isKnown && (all || tokens.has("stats")),
  };
};
