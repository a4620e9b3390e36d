/** Bulk download: a link to a year of bars as one file. */
import { z } from "zod";
import { route } from "../route.ts";
import { BAR_SYMBOLS, interval, known } from "../values.ts";
import { SERIES_LIST } from "../wording.ts";

export const ARCHIVE_FORMATS = ["parquet", "csv"] as const;

export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

/** The first year of which every service has archives; earlier ones have one where bars of them were imported. */
export const FIRST_ARCHIVE_YEAR = 1996;

export const EXAMPLE_LINK =
  "https://prices.example.com/archives/XAU-USD-SPOT/1d/2025.parquet?expires=1795187007&signature=4fGh2b0Jr5mVnq3Zy8sK1tXw6LcDpA9eUoHiBgRvTlM";

/** GET /v1/download */
export const linkDownloads = route({
  method: "GET",
  path: "/v1/download",
  tag: "Bulk download",
  summary: "A link to a year of bars",
  description:
    "Redirects to an archive of one series, interval and UTC calendar year, with a link that is valid for one hour. The archive has closed bars, oldest first: bar_start, open, high, low, close, volume, is_closed; figures are the same as on the bars routes, in Parquet as DECIMAL and UTC timestamps. The current year is rebuilt every night. Basic and Physical include daily XAU-USD spot of years that lie entirely within the last 365 days; Pro and above include everything. Follow the link without your key.",
  access: { auth: "required", tier: "basic" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({
        description: `A series with bars, ${SERIES_LIST}`,
        examples: ["XAU-USD-SPOT"],
        ...known(BAR_SYMBOLS),
      }),
    year: z
      .int()
      .min(1_000)
      .max(9_999)
      .meta({
        description: "UTC calendar year, from 1996 to the current one; an earlier one if the service has bars of it",
        examples: [2026],
      }),
    interval: interval.default("1d"),
    fmt: z.enum(ARCHIVE_FORMATS).default("parquet").meta({ description: "Format of the archive" }),
  }),
  output: z
    .object({
      location: z.url().meta({
        description: "Link to the archive, valid for one hour",
        examples: ["https://prices.example.com/archives/XAU-USD-SPOT/1d/2025.parquet?expires=1795187007&signature=4fGh2b0Jr5mV"],
      }),
    })
    .meta({ id: "DownloadLink", description: "A link to an archive" }),
  success: { status: 307, cacheControl: "no-store" },
  errors: ["not_found", "plan_gated", "validation_error", "storage_unavailable", "storage_error"],
  unauthenticatedCode: "authentication_required",
  feature: "download",
  examples: {
    link: { summary: "Where the archive is", value: { location: EXAMPLE_LINK } },
  },
});
