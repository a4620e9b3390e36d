/** A verb's context, with values set by the test. */
import type { TierName } from "@assay/contract";
import { attempt, type FailAny } from "../call.ts";
import type { VerbContext } from "../context.ts";

/** The pipeline's own `fail`, usable outside of it. */
export const leakedFail = (): FailAny =>
  attempt<FailAny>(
    (fail) => fail,
    ({ code }) => {
      throw new Error(`refused with ${code}`);
    },
  ) as FailAny; // nothing is waited for

/** The context of a caller with a key; `fail` throws its refusal, and fits every route. */
export const verbContext = (nowMs: number, tier: TierName = "pro"): VerbContext & { readonly fail: never } => ({
  caller: {
    tier,
    reach: { bases: [], contracts: [] } as unknown as VerbContext["caller"]["reach"], // none of these verbs uses it
    key: null,
    ip: "127.0.0.1",
  },
  nowMs,
  asOfMs: nowMs,
  requestId: "test",
  isReceipt: false,
  idempotencyKey: undefined,
  fail: leakedFail() as never, // each route has its own type for it
});
