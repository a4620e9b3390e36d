/** The tier catalog: the price, access and limits of each tier. */
import { z } from "zod";
import { CONTRACT_TYPES, type ContractType, decimal, METALS, type Metal } from "./values.ts";

/** Tier names, lowest first; a route open to one tier is open to all higher ones. */
export const TIER_NAMES = ["free", "basic", "physical", "pro", "realtime_pro"] as const;
/** A tier name. Callers without a key have the tier `free` and the keyless limits. */
export type TierName = (typeof TIER_NAMES)[number];

/** One entry of the catalog, as `/v1/metadata/tiers` returns it. */
export const tierPublic = z
  .object({
    name: z.enum(TIER_NAMES).meta({ description: "Tier name" }),
    monthly_price_usd: decimal("Price per month in USD", "49.00"),
    yearly_price_usd: decimal("Price per year in USD", "490.00"),
    rate_limit_per_minute: z
      .int()
      .min(1)
      .meta({ description: "Requests per minute and organisation", examples: [300] }),
    monthly_quota: z
      .int()
      .min(0)
      .meta({ description: "Metered requests per UTC calendar month and organisation", examples: [500_000] }),
    allowed_bases: z.array(z.enum(METALS)).meta({ description: "Metals the tier includes" }),
    allowed_contracts: z.array(z.enum(CONTRACT_TYPES)).meta({ description: "Contract types the tier includes" }),
    includes_mcp: z.boolean().meta({ description: "Whether agent access (MCP) is included" }),
    commercial_use: z.boolean().meta({ description: "Whether commercial use is allowed" }),
    support_sla_hours: z.int().min(0).nullable().meta({ description: "Support response time in hours, null for none" }),
    max_concurrent_streams: z.int().min(0).meta({ description: "Streams open at once per key, SSE and WebSocket together" }),
    hidden: z.boolean().meta({ description: "Grandfathered: no longer sold" }),
  })
  .meta({ id: "Tier", description: "What a tier costs and allows" });
/** One entry of the tier catalog. */
export type TierPublic = z.output<typeof tierPublic>;

/** What the tier's public entry does not show: the delay and depth of its data. */
export interface TierReach {
  /** Price delay, in milliseconds. */
  readonly delayMs: number;
  /** Days of daily bars available; null for unlimited. */
  readonly dailyDepthDays: number | null;
  /** Whether intervals below one day are available. */
  readonly intraday: boolean;
  /** Whether bars and history of series other than XAU-USD-SPOT are available. */
  readonly allBarSymbols: boolean;
  /** Whether `sources` includes informational sources, such as tokenised gold. */
  readonly informationalSources: boolean;
}

/** Limits of callers without a key, per IP address (IPv6: per /64). */
export interface KeylessLimits {
  readonly perMinute: number;
  readonly perHour: number;
}

/** The whole catalog: public entries by name, and the keyless limits. */
export interface TierCatalog {
  readonly tiers: Record<TierName, TierPublic>;
  readonly keyless: KeylessLimits;
}

/** Price delay on Free and without a key: 15 minutes. */
export const DELAY_MS = 15 * 60_000;

/** How far back intraday bars go on any tier, in days. */
export const INTRADAY_DEPTH_DAYS = 30;

const spotOnly: { allowed_bases: Metal[]; allowed_contracts: ContractType[] } = {
  allowed_bases: ["XAU"],
  allowed_contracts: ["spot"],
};
const everything: { allowed_bases: Metal[]; allowed_contracts: ContractType[] } = {
  allowed_bases: ["XAU", "XAG", "HG"],
  allowed_contracts: ["spot", "futures"],
};

/** The default catalog; an operator's file can override it. */
export const DEFAULT_CATALOG: TierCatalog = {
  keyless: { perMinute: 10, perHour: 100 },
  tiers: {
    free: {
      name: "free",
      monthly_price_usd: "0.00",
      yearly_price_usd: "0.00",
      rate_limit_per_minute: 30,
      monthly_quota: 5_000,
      ...spotOnly,
      includes_mcp: false,
      commercial_use: false,
      support_sla_hours: null,
      max_concurrent_streams: 0,
      hidden: false,
    },
    basic: {
      name: "basic",
      monthly_price_usd: "9.00",
      yearly_price_usd: "90.00",
      rate_limit_per_minute: 60,
      monthly_quota: 20_000,
      ...spotOnly,
      includes_mcp: false,
      commercial_use: true,
      support_sla_hours: null,
      max_concurrent_streams: 0,
      hidden: true,
    },
    physical: {
      name: "physical",
      monthly_price_usd: "19.00",
      yearly_price_usd: "190.00",
      rate_limit_per_minute: 60,
      monthly_quota: 50_000,
      ...spotOnly,
      includes_mcp: true,
      commercial_use: true,
      support_sla_hours: 72,
      max_concurrent_streams: 0,
      hidden: false,
    },
    pro: {
      name: "pro",
      monthly_price_usd: "49.00",
      yearly_price_usd: "490.00",
      rate_limit_per_minute: 300,
      monthly_quota: 500_000,
      ...everything,
      includes_mcp: true,
      commercial_use: true,
      support_sla_hours: 48,
      max_concurrent_streams: 3,
      hidden: false,
    },
    realtime_pro: {
      name: "realtime_pro",
      monthly_price_usd: "99.00",
      yearly_price_usd: "990.00",
      rate_limit_per_minute: 600,
      monthly_quota: 2_000_000,
      ...everything,
      includes_mcp: true,
      commercial_use: true,
      support_sla_hours: 24,
      max_concurrent_streams: 10,
      hidden: false,
    },
  },
};

/** Delay and depth of each tier. Callers without a key get those of `free`. */
export const TIER_REACH: Record<TierName, TierReach> = {
  free: { delayMs: DELAY_MS, dailyDepthDays: 30, intraday: false, allBarSymbols: false, informationalSources: false },
  basic: { delayMs: 0, dailyDepthDays: 365, intraday: false, allBarSymbols: false, informationalSources: false },
  physical: { delayMs: 0, dailyDepthDays: 365, intraday: false, allBarSymbols: false, informationalSources: false },
  pro: { delayMs: 0, dailyDepthDays: null, intraday: true, allBarSymbols: true, informationalSources: true },
  realtime_pro: { delayMs: 0, dailyDepthDays: null, intraday: true, allBarSymbols: true, informationalSources: true },
};

/**
 * Whether one tier includes another.
 * @param has the caller's tier
 * @param needed the lowest tier allowed
 */
export const tierAtLeast = (has: TierName, needed: TierName): boolean => TIER_NAMES.indexOf(has) >= TIER_NAMES.indexOf(needed);

const TIER_SETTINGS = tierPublic.omit({ name: true }).partial().strict();

/** The schema of an operator's tier file: any subset of the catalog; unknown names are refused. */
export const tierOverrides = z
  .object({
    ...(Object.fromEntries(TIER_NAMES.map((name) => [name, TIER_SETTINGS.optional()])) as Record<
      TierName,
      z.ZodOptional<typeof TIER_SETTINGS>
    >),
    keyless: z
      .object({ per_minute: z.int().min(1), per_hour: z.int().min(1) })
      .partial()
      .strict()
      .optional(),
  })
  .strict();

/**
 * Merges an operator's file into the default catalog.
 * @param overrides the parsed file
 * @returns a complete catalog; values missing from the file keep their defaults
 */
export const overlayCatalog = (overrides: z.output<typeof tierOverrides>): TierCatalog => {
  const tiers = Object.fromEntries(
    TIER_NAMES.map((name) => [name, { ...DEFAULT_CATALOG.tiers[name], ...overrides[name] }]),
  ) as Record<TierName, TierPublic>; // every name is a key of the source record
  return {
    tiers,
    keyless: {
      perMinute: overrides.keyless?.per_minute ?? DEFAULT_CATALOG.keyless.perMinute,
      perHour: overrides.keyless?.per_hour ?? DEFAULT_CATALOG.keyless.perHour,
    },
  };
};
