/** What verbs and checks are given: the caller, the time, and the engines. */
import type { ArchiveName, ArchiveStore } from "@assay/archives";
import type { TierCatalog, TierName, TierReach } from "@assay/contract";
import type { Store } from "@assay/db";
import type { Live, Log } from "@assay/live";
import type { Random, Time } from "@assay/ports";
import type { KeyLife } from "./access/key-lifecycle.ts";
import type { DealersView } from "./market/dealer-book.ts";
import type { MarketView } from "./market/market-view.ts";
import type { SurfaceView } from "./market/surface-book.ts";

/** The caller. Without a key it has the tier that the operator gives such callers, and is identified only by address. */
export interface Caller {
  readonly tier: TierName;
  readonly reach: TierReach;
  /** The key used; null without one. */
  readonly key: CallerKey | null;
  /** The client's address, as limits count it (IPv6 by /64). */
  readonly ip: string;
}

export interface CallerKey extends KeyLife {
  readonly id: string;
  readonly orgId: string;
  /** The name its organisation's requests are counted under. Made once: joining and hashing it costs more than the count. */
  readonly limitKey: string;
  readonly hash: string;
  /** The key itself, for encrypting what only its bearer may read again. Kept for the duration of the request only. */
  readonly plaintext: string;
}

/** What every verb receives besides its input. */
export interface VerbContext {
  readonly caller: Caller;
  readonly nowMs: number;
  /** The instant this caller may see: now, or 15 minutes ago. */
  readonly asOfMs: number;
  readonly requestId: string;
  /** Whether the answer is to be signed: a receipt has all that its figures are made of. */
  readonly isReceipt: boolean;
  /** The Idempotency-Key header, on routes that read it. */
  readonly idempotencyKey: string | undefined;
}

/** The archives, as callers see them. */
export interface ArchiveLinks extends Pick<ArchiveStore, "has"> {
  /** An absolute link, valid for one hour. */
  link(name: ArchiveName, nowMs: number): Promise<string>;
}

/** The engines and settings behind the verbs. */
export interface ServiceDeps {
  readonly store: Store;
  readonly live: Live;
  readonly market: MarketView;
  readonly dealers: DealersView;
  readonly surfaces: SurfaceView;
  readonly archives: ArchiveLinks;
  readonly catalog: TierCatalog;
  readonly clock: Time;
  readonly random: Random;
  readonly log: Log;
  /** The preferred lease holder; null when any writer may hold it. */
  readonly configuredWriter: string | null;
  /** Whether the market keeps real hours, so that a stale price on a weekend is reported as `market_closed`. */
  readonly marketHours: boolean;
  /** The date of the Sunset header of deprecated routes; null for none. */
  readonly historySunset: string | null;
  /** Origins that events may be sent to whatever their address, and without TLS. */
  readonly webhookHosts: ReadonlySet<string>;
  readonly disabled: ReadonlySet<string>;
  /** Which commit the program was built from; null when that is not known. */
  readonly commit?: string | null;
}
