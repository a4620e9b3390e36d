/** Examples of links to archives. */
import type { AssayContract, OutputOf } from "@assay/contract";
import type { ExamplesOf } from "./example.ts";

/** Where links lead, in examples. */
export const LINK_EXAMPLE =
  "https://prices.example.com/archives/XAU-USD-SPOT/1d/2025.parquet?expires=1795187007&signature=4fGh2b0Jr5mVnq3Zy8sK1tXw6LcDpA9eUoHiBgRvTlM";

export const link: ExamplesOf<OutputOf<AssayContract["downloads"]["link"]>> = {
  link: { summary: "Where the archive is", value: { location: LINK_EXAMPLE } },
};
