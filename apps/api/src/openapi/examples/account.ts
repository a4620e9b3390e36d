/** Examples of keys and usage. */
import type { AssayContract, OutputOf } from "@assay/contract";
import type { ExamplesOf } from "./example.ts";

export const listKeys: ExamplesOf<OutputOf<AssayContract["account"]["listKeys"]>> = {
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
};

export const mintKey: ExamplesOf<OutputOf<AssayContract["account"]["mintKey"]>> = {
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
};

export const usage: ExamplesOf<OutputOf<AssayContract["account"]["usage"]>> = {
  pro: {
    summary: "On Pro, in the middle of a month",
    value: {
      calls_today: 1280,
      calls_this_month: 214_880,
      active_streams: 0,
      max_streams: 3,
      tier: "pro",
      monthly_quota: 500_000,
      remaining_this_month: 285_120,
      resets_at: "2026-12-01T00:00:00Z",
    },
  },
};
