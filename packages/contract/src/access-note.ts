/** One line for a route's description: who may call it and what a call costs. */
import type { Route } from "./route.ts";

const KEY = {
  none: "none; one that is sent is ignored",
  optional: "optional; without one prices are late and the keyless limits hold",
  required: "required",
} as const;

const LIMIT = {
  standard: "those of your tier, or of your address without a key",
  light: "60 a minute and address",
  none: "none",
} as const;

const named = (tier: string): string =>
  tier
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");

/** For example: "**Key**: required. **Tier**: Pro and up. …" */
export const accessNote = ({ access }: Route): string =>
  [
    `**Key**: ${KEY[access.auth]}.`,
    access.tier === "free" ? "**Tier**: any." : `**Tier**: ${named(access.tier)} and up.`,
    `**Limits**: ${LIMIT[access.limit]}.`,
    access.metered && access.auth !== "none" ? "A success counts against the monthly quota." : "Free of the monthly quota.",
  ].join(" ");
