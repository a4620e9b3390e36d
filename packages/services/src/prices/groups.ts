/** The optional groups of a spot row, selected by ?include=. */

/** The groups a row carries. */
export interface Groups {
  readonly sources: boolean;
  readonly karat: boolean;
  readonly stats: boolean;
}

const NONE: Groups = { sources: false, karat: false, stats: false };

/**
 * Parses ?include=. Unknown tokens are ignored; `all` means every group the caller may see.
 * @param include comma-separated tokens
 * @param isKnown `stats` is omitted for anonymous callers
 */
export const readGroups = (include: string | undefined, isKnown: boolean): Groups => {
  if (include === undefined) return NONE;
  const tokens = new Set(
    include
      .toLowerCase()
      .split(",")
      .map((token) => token.trim()),
  );
  const all = tokens.has("all");
  return {
    sources: all || tokens.has("sources"),
    karat: all || tokens.has("karat"),
    stats: isKnown && (all || tokens.has("stats")),
  };
};
