/** What the route suite needs to know of the service it looks at. */
import type { TierCatalog, TierName } from "@assay/contract";

/** A bearer nobody else plays: its organisation has no other key and no past. */
export interface SuiteCaller {
  readonly key: string;
  readonly keyId: string;
}

/** A running service and how to come to callers of it. */
export interface SuiteHarness {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The tiers and limits it runs with. */
  readonly catalog: TierCatalog;
  /** The service's time, epoch milliseconds. */
  readonly now: () => number;
  /** Makes an organisation of a tier, with one key. */
  mint(tier: TierName): Promise<SuiteCaller>;
  /** Ends a key behind the service's back or by its own routes; when it resolves the key is refused. */
  revoke(caller: SuiteCaller): Promise<void>;
  /** Request headers that make a request come from an address nobody has called from. */
  freshAddress(): Record<string, string>;
  /**
   * Parameters for routes whose schema examples do not make a request that succeeds, by `resource.action`.
   * The caller is a fresh one; null for a request without a key.
   */
  readonly samples?: Readonly<Record<string, (caller: SuiteCaller | null) => Promise<Record<string, unknown>>>>;
}
