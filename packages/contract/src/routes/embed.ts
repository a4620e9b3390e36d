/** A price as a page for a frame. */
import { z } from "zod";
import { route } from "../route.ts";
import { shownPrice } from "./badge.ts";

/** GET /embed/{metal} */
export const getEmbed = route({
  method: "GET",
  path: "/embed/{metal}",
  tag: "Console",
  summary: "A price as a page for a frame",
  description:
    'One self-contained page with the delayed price: `<iframe src=".../embed/gold?currency=EUR" width="320" height="160">`. It says how late it is, asks again once a minute while it is looked at, and keeps its last price when it cannot. Only pages of the origins in `EMBED_ORIGINS` may frame it: by default none. Metals as on `/v1/spot` without a key.',
  access: { auth: "none", limit: "none", metered: false },
  success: { status: 200, mediaType: "text/html", cacheControl: "public, max-age=60", isValidated: true },
  input: shownPrice,
  output: z.string().meta({ description: "An HTML page" }),
  errors: ["not_found", "plan_gated", "unsupported_currency"],
  examples: {
    gold: {
      summary: "Gold in euros",
      value: '<!doctype html><html lang="en"><title>Gold in EUR</title>…</html>',
    },
  },
});
