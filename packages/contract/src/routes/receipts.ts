/** Whether a receipt is genuine, and the prices of a quote are still held. */
import { z } from "zod";
import { EXAMPLE_RECEIPT } from "../example-receipt.ts";
import { typed } from "../piece.ts";
import { route } from "../route.ts";
import { EXAMPLE_MOMENT, timestamp } from "../values.ts";

const FORM = "a receipt: three parts in base64url, joined by points";

/** POST /v1/quotes/verify */
export const verify = route({
  method: "POST",
  path: "/v1/quotes/verify",
  tag: "Receipts",
  summary: "Verify a receipt",
  description:
    "Whether a receipt (`format=jws`) was signed by this service and not changed since, and whether the prices of a quote are still held. Of a receipt that is not genuine nothing it says is repeated. Receipts verify offline as well, with the keys of `/.well-known/jwks.json`.",
  access: { auth: "none", limit: "light", metered: false },
  computes: true,
  body: { maxBytes: 256 * 1_024 },
  input: z.object({
    receipt: z
      .string({ error: typed(FORM) })
      .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, { error: `must be ${FORM}` })
      .meta({ description: "The receipt", examples: [EXAMPLE_RECEIPT] }),
  }),
  output: z
    .object({
      is_ours: z.boolean().meta({ description: "Whether it names a key of this service" }),
      is_unaltered: z.boolean().meta({ description: "Whether that key signed it as it is" }),
      is_held: z.boolean().meta({ description: "Whether it is genuine, and its prices are held at this moment" }),
      checked_at: timestamp("When this was checked"),
      valid_until: timestamp("Until when its prices are held; absent when they never were, or it is not genuine").optional(),
      issued_at: timestamp("When it was signed; absent when it is not genuine").optional(),
      request_id: z.string().optional().meta({ description: "The request it answered; absent when it is not genuine" }),
      route: z
        .string()
        .optional()
        .meta({ description: "The route that was called; absent when it is not genuine", examples: ["POST /v1/quotes"] }),
      simulated: z.boolean().optional().meta({ description: "Whether its prices were made up; absent when it is not genuine" }),
    })
    .meta({ id: "ReceiptCheck", description: "What is known of a receipt" }),
  errors: [],
  examples: {
    held: {
      summary: "A quote whose prices are held",
      value: {
        is_ours: true,
        is_unaltered: true,
        is_held: true,
        checked_at: EXAMPLE_MOMENT,
        valid_until: "2026-11-20T14:13:27Z",
        issued_at: EXAMPLE_MOMENT,
        request_id: "sXUFyqiyk-bQRHUhYo4T",
        route: "POST /v1/quotes",
        simulated: false,
      },
    },
    unknown: {
      summary: "A receipt of another service",
      value: { is_ours: false, is_unaltered: false, is_held: false, checked_at: EXAMPLE_MOMENT },
    },
  },
});
