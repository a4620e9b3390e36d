/** Metals in words. */
import type { Metal } from "@assay/sdk";

/** By code. */
export const METAL_TEXT: Readonly<Record<Metal, string>> = { XAU: "Gold", XAG: "Silver", HG: "Copper" };
