/** Bulk download: a link to a year of bars as one file. */
import { z } from "zod";
import { route } from "../route.ts";
import { BAR_SYMBOLS, interval, known } from "../values.ts";

/** Formats of archives. */
export const ARCHIVE_FORMATS = ["parquet", "csv"] as const;
/** A format of archives. */
export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

/** The first year there are archives of. */
export const FIRST_ARCHIVE_YEAR = 1996;

/** GET /v1/download */
export const linkDownload = route({
  method: "GET",
  path: "/v1/download",
  tag: "Bulk download",
  summary: "A link to a year of bars",
  description:
    "Redirects to an archive of one series, interval and UTC calendar year, by a link that is good for one hour. The archive holds closed bars, oldest first: bar_start, open, high, low, close, volume, is_closed; figures are those of the bars routes, in Parquet as DECIMAL and UTC timestamps. The running year is built anew every night. Basic and Physical may download a daily year of XAU-USD spot that lies wholly within their 365 days; Pro and up everything. Follow the link without your key.",
  access: { auth: "required", tier: "basic" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({
        description: "A series with bars, dash or slash form: XAU-USD-SPOT, XAU/USD, XAG/USD, HG-USD-SPOT, GC, SI, HG, GLD",
        examples: ["XAU-USD-SPOT"],
        ...known(BAR_SYMBOLS),
      }),
    year: z
      .int()
      .min(FIRST_ARCHIVE_YEAR)
      .max(9_999)
      .meta({ description: "UTC calendar year, from 1996 to the running one", examples: [2026] }),
    interval: interval.default("1d"),
    fmt: z.enum(ARCHIVE_FORMATS).default("parquet").meta({ description: "Format of the archive" }),
  }),
  output: z
    .object({
      location: z.url().meta({
        description: "Where the archive is, for one hour",
        examples: ["https://prices.example.com/archives/XAU-USD-SPOT/1d/2025.parquet?expires=1795187007&signature=4fGh2b0Jr5mV"],
      }),
    })
    .meta({ id: "DownloadLink", description: "Where an archive is" }),
  success: { status: 307, cacheControl: "no-store" },
  errors: ["not_found", "plan_gated", "validation_error", "storage_unavailable", "storage_error"],
  unauthenticatedCode: "authentication_required",
  feature: "download",
});
