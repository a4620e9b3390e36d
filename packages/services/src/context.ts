/** What verbs and checks are given: who calls, when, and the engines behind them. */
import type { ArchiveName, ArchiveStore } from "@assay/archives";
import type { TierCatalog, TierName, TierReach } from "@assay/contract";
import type { Store } from "@assay/db";
import type { Live } from "@assay/live";
import type { MarketView } from "./market/market-view.ts";
import type { DealersView } from "./physical/dealers-view.ts";
import type { SurfaceView } from "./surface/surface-view.ts";

/** Who calls. Without a key: tier free, known only by address. */
export interface Caller {
  readonly tier: TierName;
  readonly reach: TierReach;
  /** The key that was used; null without one. */
  readonly key: CallerKey | null;
  /** The client's address, as the limits count it (IPv6 by /64). */
  readonly ip: string;
}

/** The key of an authenticated caller. */
export interface CallerKey {
  readonly id: string;
  readonly orgId: string;
  readonly hash: string;
  readonly revokedAtMs: number | null;
  /** The key itself, for sealing what only its bearer may read again. Held for the request only. */
  readonly plaintext: string;
}

/** What every verb gets beside its input. */
export interface VerbContext {
  readonly caller: Caller;
  readonly nowMs: number;
  /** The instant this caller may see: now, or 15 minutes ago. */
  readonly asOfMs: number;
  readonly requestId: string;
  /** The Idempotency-Key header, where the route reads it. */
  readonly idempotencyKey: string | undefined;
}

/** Reads the time, epoch milliseconds. */
export type Clock = () => number;

/** Where a service tells what went wrong; never a secret. */
export interface ServiceLog {
  error(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

/** Where archives lie, as far as callers are concerned. */
export interface ArchiveLinks extends Pick<ArchiveStore, "has"> {
  /** An absolute link that is good for one hour. */
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
  readonly clock: Clock;
  readonly log: ServiceLog;
  /** The writer that ought to hold the lease; null when any may. */
  readonly configuredWriter: string | null;
  /** Whether the market keeps real hours, so that a quiet price on a weekend is `market_closed`. */
  readonly marketHours: boolean;
  /** The date of the Sunset header of deprecated routes; null for none. */
  readonly historySunset: string | null;
  /** Features the operator switched off. */
  readonly disabled: ReadonlySet<string>;
}
