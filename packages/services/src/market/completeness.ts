/** How an answer states that bars it is read from are still being filled in. */

/** The field of its `meta`; absent when nothing is missing. */
export const completeness = (isComplete: boolean): { readonly complete?: false } => (isComplete ? {} : { complete: false });
