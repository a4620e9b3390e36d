/** A store with slow answers to queries for encoded bars. */
import type { Store } from "@assay/db";

/** A store whose answers wait until released. */
export const slowStore = (store: Store): { readonly store: Store; readonly open: () => void } => {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow: Store = {
    ...store,
    readRow: async (query) => {
      const answer = await store.readRow(query);
      await gate;
      return answer;
    },
  };
  return { store: slow, open };
};
