/** A price as a page for a frame. */
import { z } from "zod";
import { route } from "../route.ts";
import { SHOWN_HINTS, shownPrice } from "./badge.ts";

/** GET /embed/{metal} */
export const getEmbed = route({
  method: "GET",
  path: "/embed/{metal}",
  tag: "Console",
  summary: "A price as a page for a frame",
  description:
    'One self-contained page with the price that callers without a key see: `<iframe src=".../embed/gold?currency=EUR" width="320" height="220">`. With a line of the daily closes of the last 30 days, in the weight, purity, language and colours asked for. It says how late it is, asks again once a minute while it is looked at, and keeps its last price when it cannot. Only pages of the origins in `EMBED_ORIGINS` may frame it: by default none. Metals as on `/v1/spot` without a key.',
  access: { auth: "none", limit: "light", metered: false },
  success: { status: 200, mediaType: "text/html", cacheControl: "public, max-age=60", isValidated: true },
  input: shownPrice,
  hints: SHOWN_HINTS,
  output: z.string().meta({ description: "An HTML page" }),
  errors: ["not_found", "plan_gated", "unsupported_currency", "validation_error"],
  examples: {
    gold: {
      summary: "Gold in euros",
      value: '<!doctype html><html lang="en"><title>Gold · EUR</title>…</html>',
    },
  },
});
