/** The tier catalog: the price, access and limits of each tier. */
import { catalogue } from "@assay/catalogue";
import { z } from "zod";
import { CONTRACT_TYPES, type ContractType, decimal, METALS, type Metal } from "./values.ts";

/** Tier names, lowest first; a route open to one tier is open to all higher ones. */
export const TIER_NAMES = ["free", "basic", "physical", "pro", "realtime_pro"] as const;
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
    max_alerts: z
      .int()
      .min(0)
      .meta({ description: "Alerts of an organisation", examples: [100] }),
    hidden: z.boolean().meta({ description: "Grandfathered: no longer sold" }),
  })
  .meta({ id: "Tier", description: "What a tier costs and allows" });
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

/** What callers without a key have: a tier, and limits per IP address (IPv6: per /64). */
export interface KeylessAccess {
  readonly tier: TierName;
  readonly perMinute: number;
  readonly perHour: number;
}

/** The whole catalog: public entries by name, and what callers without a key have. */
export interface TierCatalog {
  readonly tiers: Record<TierName, TierPublic>;
  readonly keyless: KeylessAccess;
}

/** Price delay on Free: 15 minutes. */
export const DELAY_MS = 15 * 60_000;

/** How far back intraday bars go on any tier, in days. */
export const INTRADAY_DEPTH_DAYS = 30;

/**
 * Whether one tier includes another.
 * @param has the caller's tier
 * @param needed the lowest tier allowed
 */
export const tierAtLeast = (has: TierName, needed: TierName): boolean => TIER_NAMES.indexOf(has) >= TIER_NAMES.indexOf(needed);

/** What a tier includes: the metals whose lowest tier is not above it. */
const included = (tier: TierName): { allowed_bases: Metal[]; allowed_contracts: ContractType[] } => ({
  allowed_bases: catalogue.spotMetals.filter((metal) => tierAtLeast(tier, metal.tier)).map(({ code }) => code),
  allowed_contracts: tierAtLeast(tier, "pro") ? ["spot", "futures"] : ["spot"],
});

/** The default catalog; an operator's file can override it. */
export const DEFAULT_CATALOG: TierCatalog = {
  keyless: { tier: "free", perMinute: 10, perHour: 100 },
  tiers: {
    free: {
      name: "free",
      monthly_price_usd: "0.00",
      yearly_price_usd: "0.00",
      rate_limit_per_minute: 30,
      monthly_quota: 5_000,
      ...included("free"),
      includes_mcp: false,
      commercial_use: false,
      support_sla_hours: null,
      max_concurrent_streams: 0,
      max_alerts: 3,
      hidden: false,
    },
    basic: {
      name: "basic",
      monthly_price_usd: "9.00",
      yearly_price_usd: "90.00",
      rate_limit_per_minute: 60,
      monthly_quota: 20_000,
      ...included("basic"),
      includes_mcp: false,
      commercial_use: true,
      support_sla_hours: null,
      max_concurrent_streams: 0,
      max_alerts: 10,
      hidden: true,
    },
    physical: {
      name: "physical",
      monthly_price_usd: "19.00",
      yearly_price_usd: "190.00",
      rate_limit_per_minute: 60,
      monthly_quota: 50_000,
      ...included("physical"),
      includes_mcp: true,
      commercial_use: true,
      support_sla_hours: 72,
      max_concurrent_streams: 0,
      max_alerts: 20,
      hidden: false,
    },
    pro: {
      name: "pro",
      monthly_price_usd: "49.00",
      yearly_price_usd: "490.00",
      rate_limit_per_minute: 300,
      monthly_quota: 500_000,
      ...included("pro"),
      includes_mcp: true,
      commercial_use: true,
      support_sla_hours: 48,
      max_concurrent_streams: 3,
      max_alerts: 100,
      hidden: false,
    },
    realtime_pro: {
      name: "realtime_pro",
      monthly_price_usd: "99.00",
      yearly_price_usd: "990.00",
      rate_limit_per_minute: 600,
      monthly_quota: 2_000_000,
      ...included("realtime_pro"),
      includes_mcp: true,
      commercial_use: true,
      support_sla_hours: 24,
      max_concurrent_streams: 10,
      max_alerts: 1_000,
      hidden: false,
    },
  },
};

/** Delay and depth of each tier; `TIERS_FILE` changes limits, not these. Only free is late, and so is a caller without a key, by default. */
export const TIER_REACH: Record<TierName, TierReach> = {
  free: { delayMs: DELAY_MS, dailyDepthDays: 30, intraday: false, allBarSymbols: false, informationalSources: false },
  basic: { delayMs: 0, dailyDepthDays: 365, intraday: false, allBarSymbols: false, informationalSources: false },
  physical: { delayMs: 0, dailyDepthDays: 365, intraday: false, allBarSymbols: false, informationalSources: false },
  pro: { delayMs: 0, dailyDepthDays: null, intraday: true, allBarSymbols: true, informationalSources: true },
  realtime_pro: { delayMs: 0, dailyDepthDays: null, intraday: true, allBarSymbols: true, informationalSources: true },
};

/** Whether a tier may see a metal's contract. */
export const allowsSymbol = (
  { tiers }: Pick<TierCatalog, "tiers">,
  tier: TierName,
  symbol: { readonly metal: Metal; readonly contractType: ContractType },
): boolean => tiers[tier].allowed_bases.includes(symbol.metal) && tiers[tier].allowed_contracts.includes(symbol.contractType);

/** How late a tier's prices are: `live`, or `15 minutes late`. */
export const latenessOf = (tier: TierName): string => {
  const { delayMs } = TIER_REACH[tier];
  return delayMs === 0 ? "live" : `${delayMs / 60_000} minutes late`;
};

/** A tier's name as people read it: `Realtime Pro`. */
export const tierTitle = (tier: TierName): string =>
  tier
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");

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

/** What callers without a key have by default: on a paid tier its limit per minute, and as many in each minute of an hour. */
const keylessOf = (tier: TierName, { rate_limit_per_minute: perMinute }: TierPublic): KeylessAccess =>
  tier === "free" ? DEFAULT_CATALOG.keyless : { tier, perMinute, perHour: 60 * perMinute };

/**
 * Merges an operator's file into the default catalog.
 * @param overrides the parsed file
 * @param keyless the tier of callers without a key
 * @returns a complete catalog; values missing from the file keep their defaults
 */
export const overlayCatalog = (overrides: z.output<typeof tierOverrides>, keyless: TierName = "free"): TierCatalog => {
  const tiers = Object.fromEntries(
    TIER_NAMES.map((name) => [name, { ...DEFAULT_CATALOG.tiers[name], ...overrides[name] }]),
  ) as Record<TierName, TierPublic>; // every name is a key of the source record
  const { per_minute, per_hour } = overrides.keyless ?? {};
  const { tier, perMinute, perHour } = keylessOf(keyless, tiers[keyless]);
  return { tiers, keyless: { tier, perMinute: per_minute ?? perMinute, perHour: per_hour ?? perHour } };
};
