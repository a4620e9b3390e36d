/** Stream closes with a cause that REST reports under its own code: one cause, one class. */
import { ERRORS, STREAM_CLOSE_CODES, STREAM_CLOSES, STREAM_TIER, type StreamClose } from "@assay/contract";

/** A refusal as REST would send it, with the fields that a close can provide. */
export interface RestRefusal {
  readonly status: number;
  readonly body: Readonly<Record<string, string>> & { readonly error: string };
}

/** What a close carries besides its code. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, string>>>> = { plan_gated: { required_tier: STREAM_TIER } };

/** Refusals by the code of the stream's `error` frame. */
export const REST_REFUSALS: Readonly<Record<string, RestRefusal>> = Object.fromEntries(
  STREAM_CLOSE_CODES.flatMap((code) => {
    const { restCode }: StreamClose = STREAM_CLOSES[code];
    if (restCode === undefined) return [];
    return [[code, { status: ERRORS[restCode].status, body: { error: restCode, ...KNOWN[restCode] } }]];
  }),
);
