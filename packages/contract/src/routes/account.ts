/** The caller's own keys and usage. */
import { z } from "zod";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import { calendarDay, timestamp } from "../values.ts";

const MAX_LENGTH = 64;

/**
 * What a label must not hold: control characters and line breaks, format characters such as those that turn the direction of
 * text (bidi) or take no space (zero-width), and other characters that show nothing. With them two labels could look alike, or a
 * line read in another order than it is stored. The joiners of emoji and of some scripts are among them. The one that gives a
 * symbol its colours (U+FE0F, as behind ⚠) is accepted behind a symbol, since keyboards add it.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\uFE0F)\p{Default_Ignorable_Code_Point}|(?<!\p{Extended_Pictographic})\uFE0F/u;

/** A name for a key or an organisation: trimmed, 1 to 64 characters, all of them visible. */
export const label = z
  .string()
  .trim()
  .min(1)
  .max(MAX_LENGTH)
  .refine((text) => !UNSEEN.test(text), "must hold no control, bidirectional, zero-width or other invisible characters");

const id = z.string().meta({ description: "Key id", examples: ["3f0c1d1e-8f5e-4c55-9a59-2a2b1d6c7e11"] });

const keyPrefix = z.string().meta({ description: "The first 16 characters of the key", examples: ["assay_live_4fGh2"] });

const createdAt = timestamp("When the key was minted");

const expiresAt = timestamp(
  "When the key ends by itself, as the operator set it; until then it may do everything. Absent for a key without an end",
).optional();

/** A key as listed; the key itself is never shown again. */
export const keyPublic = z
  .object({
    id,
    key_prefix: keyPrefix,
    name: z.string().meta({ description: "The key's name" }),
    created_at: createdAt,
    last_used_at: timestamp("Last use, to the minute or so").nullable(),
    revoked_at: timestamp("When it stops or stopped authenticating; in the future during grace").nullable(),
    expires_at: expiresAt,
  })
  .meta({ id: "Key", description: "A listed key; the key itself is never shown again" });

export type KeyPublic = z.output<typeof keyPublic>;

/** The only answer that contains the key itself. */
export const keyMintResponse = z
  .object({
    id,
    plaintext: z.string().meta({ description: "The whole key, returned only once" }),
    key_prefix: keyPrefix,
    created_at: createdAt,
    previous_key_revokes_at: timestamp("When the calling key stops authenticating").nullable(),
    expires_at: expiresAt,
  })
  .meta({ id: "MintedKey", description: "A new key; the only response with the whole key" });

export type KeyMintResponse = z.output<typeof keyMintResponse>;

/** Maximum number of keys per organisation, keys in grace included. */
export const MAX_LIVE_KEYS = 20;

const access = { auth: "required", metered: false } as const;

/** GET /v1/account/keys */
export const listKeys = route({
  method: "GET",
  path: "/v1/account/keys",
  tag: "Account",
  summary: "List your keys",
  description: "Active keys and keys in their grace period, newest first.",
  access,
  input: z.object({}),
  output: z.array(keyPublic),
  success: { status: 200, cacheControl: "no-store" },
  errors: ["service_unavailable"],
  formats: { csv: "" },
  examples: {
    rotated: {
      summary: "After a rotation: the new key, and the one in grace",
      value: [
        {
          id: "9d2b7c44-1f0e-4a53-8c1d-6b7f0a3e5d20",
          key_prefix: "assay_live_7bKq9",
          name: "ci",
          created_at: "2026-11-20T14:03:27Z",
          last_used_at: null,
          revoked_at: null,
        },
        {
          id: "3f0c1d1e-8f5e-4c55-9a59-2a2b1d6c7e11",
          key_prefix: "assay_live_4fGh2",
          name: "first",
          created_at: "2026-03-02T09:14:00Z",
          last_used_at: "2026-11-20T14:03:27Z",
          revoked_at: "2026-11-21T14:03:27Z",
        },
      ],
    },
  },
});

/** POST /v1/account/keys */
export const mintKey = route({
  method: "POST",
  path: "/v1/account/keys",
  tag: "Account",
  summary: "Rotate your key",
  description:
    "Creates a new key and keeps the calling key valid for another 24 hours, in which it reads but changes nothing. The new key is shown once, and ends when the calling key would have, if that has an end. With an Idempotency-Key, a retry within 24 hours returns the same response. An organisation can have 20 keys at a time, including those in their grace period.",
  access,
  input: z.object({
    name: label.meta({ description: "A name for the new key, of visible characters", examples: ["ci"] }).optional(),
  }),
  output: keyMintResponse,
  success: { status: 201, cacheControl: "no-store" },
  errors: ["key_limit_reached", "validation_error", "service_unavailable"],
  requestHeaders: {
    "Idempotency-Key":
      "1 to 255 printable characters that nobody can guess, such as a random UUID: with the replaced key it returns the new one. The same key and body get the same answer for 24 hours",
  },
  examples: {
    minted: {
      summary: "The new key, shown this once",
      value: {
        id: "9d2b7c44-1f0e-4a53-8c1d-6b7f0a3e5d20",
        plaintext: "assay_live_7bKq9EXAMPLEdoNotUseThisKeyAnywhere42",
        key_prefix: "assay_live_7bKq9",
        created_at: "2026-11-20T14:03:27Z",
        previous_key_revokes_at: "2026-11-21T14:03:27Z",
      },
    },
  },
});

/** DELETE /v1/account/keys/{key_id} */
export const revokeKey = route({
  method: "DELETE",
  path: "/v1/account/keys/{key_id}",
  tag: "Account",
  summary: "Revoke a key",
  description:
    "Revokes one of your keys immediately, without a grace period. A key in its grace period can revoke none, not even itself.",
  access,
  input: z.object({
    key_id: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: "Key id", examples: ["3f0c1d1e-8f5e-4c55-9a59-2a2b1d6c7e11"] }),
  }),
  output: z.undefined(),
  success: { status: 204, cacheControl: "no-store" },
  errors: ["key_not_found", "service_unavailable"],
});

const dayUsage = z
  .object({
    date: calendarDay("The UTC day"),
    calls: z.int().min(0).meta({ description: "Metered calls on that day" }),
  })
  .meta({ id: "DayUsage", description: "Metered calls of one UTC day" });

/** GET /v1/account/usage */
export const usage = route({
  method: "GET",
  path: "/v1/account/usage",
  tag: "Account",
  summary: "Your usage",
  description:
    "Metered calls of your organisation today, this month, and on each day of the month, by UTC calendar. Today's calls are counted exactly; those of earlier days are as stored, which happens within seconds. So the days add up to `calls_this_month`, except just after midnight or after an outage of the store, when some calls of an earlier day may not be stored yet.",
  access,
  input: z.object({}),
  output: z
    .object({
      calls_today: z.int().min(0).meta({ description: "Metered calls today" }),
      calls_this_month: z.int().min(0).meta({ description: "Metered calls this month" }),
      active_streams: z.int().min(0).nullable().meta({ description: "Streams open now; null when the tier has none" }),
      max_streams: z.int().min(0).nullable().meta({ description: "Streams allowed; null when the tier has none" }),
      tier: z.enum(TIER_NAMES).meta({ description: "Your tier" }),
      monthly_quota: z.int().min(0).meta({ description: "Metered calls allowed per month" }),
      remaining_this_month: z.int().min(0).meta({ description: "Metered calls left this month" }),
      resets_at: timestamp("When the next month begins", "2026-12-01T00:00:00Z"),
      days: z.array(dayUsage).min(1).max(31).nullable().meta({
        description:
          "Every day of this month up to today, oldest first: today as in `calls_today`, earlier days as stored; null while the store does not respond",
      }),
    })
    .meta({ id: "Usage", description: "Metered calls of an organisation, by UTC calendar" }),
  success: { status: 200, cacheControl: "no-store" },
  errors: ["service_unavailable"],
  examples: {
    pro: {
      summary: "On Pro, on the third day of a month",
      value: {
        calls_today: 1280,
        calls_this_month: 214_880,
        active_streams: 0,
        max_streams: 3,
        tier: "pro",
        monthly_quota: 500_000,
        remaining_this_month: 285_120,
        resets_at: "2026-12-01T00:00:00Z",
        days: [
          { date: "2026-11-01", calls: 98_412 },
          { date: "2026-11-02", calls: 115_188 },
          { date: "2026-11-03", calls: 1280 },
        ],
      },
    },
  },
});
