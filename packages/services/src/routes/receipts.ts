/** Verifies receipts for whoever holds one. */
import { type AssayContract, formatTimestamp, SECOND_MS, type Verb } from "@assay/contract";
import type { VerbContext } from "../context.ts";
import { openReceipt, type SigningKeyRing } from "../receipts.ts";

/** `POST /v1/quotes/verify`: says what is known of a receipt, and repeats nothing of one that is not genuine. */
export const verify =
  (keys: SigningKeyRing): Verb<AssayContract["receipts"]["verify"], VerbContext> =>
  async ({ receipt }, { nowMs }) => {
    const checked_at = formatTimestamp(nowMs);
    const opened = await openReceipt(receipt, await keys.current());
    if (typeof opened === "string") return { is_ours: opened === "altered", is_unaltered: false, is_held: false, checked_at };
    const { iat, request_id, route, simulated = false, body } = opened;
    const { valid_until } = body;
    return {
      is_ours: true,
      is_unaltered: true,
      is_held: valid_until !== undefined && nowMs <= Date.parse(valid_until),
      checked_at,
      ...(valid_until !== undefined && { valid_until }),
      issued_at: formatTimestamp(iat * SECOND_MS),
      request_id,
      route,
      simulated,
    };
  };
