/** The caller's own keys and usage. */
import { z } from "zod";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import { timestamp } from "../values.ts";

const id = z.string().meta({ description: "Key id", examples: ["3f0c1d1e-8f5e-4c55-9a59-2a2b1d6c7e11"] });
const keyPrefix = z.string().meta({ description: "The first 16 characters of the key", examples: ["assay_live_4fGh2"] });
const createdAt = timestamp("When the key was minted");

/** A key as it is listed; the key itself is never shown again. */
export const keyPublic = z
  .object({
    id,
    key_prefix: keyPrefix,
    name: z.string().meta({ description: "The name given to it" }),
    created_at: createdAt,
    last_used_at: timestamp("Last use, to the minute or so").nullable(),
    revoked_at: timestamp("When it stops or stopped authenticating; in the future during grace").nullable(),
  })
  .meta({ id: "Key", description: "A key as it is listed; the key itself is never shown again" });
/** A key as it is listed. */
export type KeyPublic = z.output<typeof keyPublic>;

/** The one answer that carries a whole key. */
export const keyMintResponse = z
  .object({
    id,
    plaintext: z.string().meta({ description: "The whole key, returned this once" }),
    key_prefix: keyPrefix,
    created_at: createdAt,
    previous_key_revokes_at: timestamp("When the calling key stops authenticating").nullable(),
  })
  .meta({ id: "MintedKey", description: "A new key; the only answer that holds one whole" });
/** The one answer that carries a whole key. */
export type KeyMintResponse = z.output<typeof keyMintResponse>;

/** Keys an organisation may have at a time, those in grace included. */
export const MAX_LIVE_KEYS = 20;

const access = { auth: "required", metered: false } as const;

/** GET /v1/account/keys */
export const listKeys = route({
  method: "GET",
  path: "/v1/account/keys",
  tag: "Account",
  summary: "List your keys",
  description: "Active keys and keys in grace, newest first.",
  access,
  input: z.object({}),
  output: z.array(keyPublic),
  success: { status: 200, cacheControl: "no-store" },
  errors: ["service_unavailable"],
});

/** POST /v1/account/keys */
export const mintKey = route({
  method: "POST",
  path: "/v1/account/keys",
  tag: "Account",
  summary: "Rotate your key",
  description:
    "Mints a new key and gives the calling key 24 hours of grace. The new key is shown once. With an Idempotency-Key a retry within 24 hours gets the very same answer. An organisation has at most 20 keys at a time, those in grace included.",
  access,
  input: z.object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .refine((name) => !/\p{Cc}/u.test(name), "must hold no control characters")
      .meta({ description: "A name for the new key, without control characters", examples: ["ci"] })
      .optional(),
  }),
  output: keyMintResponse,
  success: { status: 201, cacheControl: "no-store" },
  errors: ["key_limit_reached", "validation_error", "service_unavailable"],
  requestHeaders: { "Idempotency-Key": "1 to 255 printable characters; the same key and body get the same answer for 24 hours" },
});

/** DELETE /v1/account/keys/{key_id} */
export const revokeKey = route({
  method: "DELETE",
  path: "/v1/account/keys/{key_id}",
  tag: "Account",
  summary: "Revoke a key",
  description: "Revokes one of your keys at once, without grace.",
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

/** GET /v1/account/usage */
export const usage = route({
  method: "GET",
  path: "/v1/account/usage",
  tag: "Account",
  summary: "Your usage",
  description: "Metered calls of your organisation today and this month, by UTC calendar.",
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
      remaining_this_month: z.int().min(0).meta({ description: "Of them left" }),
      resets_at: timestamp("When the next month begins", "2026-12-01T00:00:00Z"),
    })
    .meta({ id: "Usage", description: "Metered calls of an organisation, by UTC calendar" }),
  success: { status: 200, cacheControl: "no-store" },
  errors: ["service_unavailable"],
});
