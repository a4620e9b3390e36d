/** What servers of streams are ordered to do, and answer. */

/** Sends everyone a tick, or collects garbage, so that what the start left behind is not measured. */
export type BroadcastOrder = "tick" | "collect";

/** When the order began, on the clock that all processes share. */
export interface BroadcastReport {
  readonly atMs: number;
}

/** Milliseconds on a clock that all processes of a machine share. */
export const sharedNowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Executes the orders. */
export const broadcasting =
  (publish: () => Promise<void>) =>
  async (order: BroadcastOrder): Promise<BroadcastReport> => {
    const atMs = sharedNowMs();
    if (order === "tick") await publish();
    else globalThis.gc?.();
    return { atMs };
  };
