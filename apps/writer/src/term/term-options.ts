/** Options of a term of leadership, and the error that ends its work. */
import type { ArchiveStore } from "@assay/archives";
import type { TierCatalog } from "@assay/contract";
import type { BarLines, Store, WriterToken } from "@assay/db";
import type { SelectedFeed } from "@assay/feeds";
import type { Live } from "@assay/live";
import type { Random, Time } from "@assay/ports";
import type { ClockedSource } from "@assay/pricing";
import type { Progress } from "@assay/process";
import type { Post } from "../alerts/receiver.ts";
import type { Gaps } from "../backfill/history-gaps.ts";
import type { BarsRequest, Thread, Threads } from "../threads/threads.ts";
import type { WriterLog } from "../writer-log.ts";

export interface PastWriting {
  readonly store: Store;
  readonly writer: WriterToken;
  /** Where the bars are made. */
  readonly thread: Thread<BarsRequest, BarLines[]>;
  /** What is missing, for the part that is written later. */
  readonly gaps: Gaps;
  readonly progress: Progress;
  readonly nowMs: number;
  readonly clock: Time;
  /** Whether a write may start: checked before each one. */
  readonly mayWrite: () => boolean;
}

/** What writing the older part depends on, while the service runs. */
export interface OlderWriting extends Pick<PastWriting, "store" | "writer" | "thread" | "gaps" | "nowMs" | "clock" | "mayWrite"> {
  readonly log: Pick<WriterLog, "info">;
  readonly signal: AbortSignal;
  /** Whether the process also serves requests: then writing uses only half of the time. */
  readonly sharesProcess: boolean;
  /** Called now and then after bars were written, and at the end. */
  readonly onFilled: () => void;
}

/** The simulated market as a term sees it: a source, and a history to fill the store with. */
export interface SimulatedMarket {
  readonly source: ClockedSource;
  readonly barSource: string;
  /**
   * Lets the thread make all that a service is ready with, from where the store ends up to now.
   * @returns what writes it
   */
  makeNewest(writing: PastWriting): Promise<() => Promise<void>>;
  /** Fills in what is missing before that. */
  fillOlder(writing: OlderWriting): Promise<void>;
}

export interface LeadershipOptions {
  readonly store: Store;
  readonly live: Live;
  readonly clock: Time;
  readonly random: Random;
  readonly log: WriterLog;
  readonly polled: readonly SelectedFeed[];
  readonly replay: ClockedSource | null;
  readonly simulated: SimulatedMarket | null;
  /** Whether the market ever closes. */
  readonly marketHours: boolean;
  /** How long ticks are kept; an hour by default. */
  readonly retainTicksMs?: number;
  /** How long changes of dealers' quotes are kept; 400 days by default. */
  readonly retainDealerQuotesMs?: number;
  /** How often what was composed is committed and published; every second by default. */
  readonly commitEveryMs?: number;
  readonly progress: Progress;
  /** Where yearly archives are stored; null when downloads are disabled. */
  readonly archives: ArchiveStore | null;
  /** Opens what is computed off the main thread. */
  readonly threads: Threads;
  /** How events of alerts are sent, and how many. */
  readonly webhooks: { readonly post: Post; readonly catalog: Pick<TierCatalog, "tiers"> };
  readonly leaseTtlMs: number;
  /** Whether a write may start: checked before each one. */
  readonly mayWrite: () => boolean;
  /** Called when this writer must not lead any more: the store knows a newer one, or only another can reach the store. */
  readonly onRefused: () => void;
}

/** The term ended before the write started. */
export class TermEndedError extends Error {
  override readonly name = "TermEndedError";
}
