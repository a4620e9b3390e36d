/** What a verb gets beside its input, as a test decides. */
import { type ErrorCode, Refusal, type TierName } from "@assay/contract";
import type { VerbContext } from "../context.ts";

/** The context of a caller with a key; `fail` throws the refusal it is given, and fits every route. */
export const verbContext = (nowMs: number, tier: TierName = "pro"): VerbContext & { readonly fail: never } => ({
  caller: {
    tier,
    reach: { bases: [], contracts: [] } as unknown as VerbContext["caller"]["reach"], // none of these verbs looks at it
    key: null,
    ip: "127.0.0.1",
  },
  nowMs,
  asOfMs: nowMs,
  requestId: "test",
  idempotencyKey: undefined,
  fail: ((code: ErrorCode, detail?: Record<string, unknown>) => {
    throw new Refusal(code, detail);
  }) as never, // each route has a type of its own for it
});
