/** What the route suite needs to know about the service under test. */
import type { TierCatalog, TierName } from "@assay/contract";

/** A bearer used by nobody else: its organisation has no other key and no history. */
export interface SuiteCaller {
  readonly key: string;
  readonly keyId: string;
}

/** A running service and how to create callers of it. */
export interface SuiteHarness {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The tiers and limits it runs with. */
  readonly catalog: TierCatalog;
  /** The service's clock, epoch milliseconds. */
  readonly now: () => number;
  /** Creates an organisation of a tier, with one key. */
  mint(tier: TierName): Promise<SuiteCaller>;
  /** Revokes a key directly or through the service's routes; once it resolves the key is refused. */
  revoke(caller: SuiteCaller): Promise<void>;
  /** Request headers that make a request come from an unused address. */
  freshAddress(): Record<string, string>;
  /**
   * Parameters for routes whose schema examples do not make a successful request, by `resource.action`. The caller is a fresh
   * one; null for a request without a key.
   */
  readonly samples?: Readonly<Record<string, (caller: SuiteCaller | null) => Promise<Record<string, unknown>>>>;
}
