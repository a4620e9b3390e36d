/**
 * The wide catalogue: platinum and palladium, every precious metal in every currency, and the currencies of the Gulf and South
 * Asia.
 */
import type { CatalogueFile } from "./file.ts";

/** What `CATALOG=wide` names. Pegs: the central banks of the UAE, Saudi Arabia, Qatar, Bahrain, Oman and Nepal. */
export const WIDE: CatalogueFile = {
  metals: [
    { code: "XAG", quoted_in: "all", finenesses: [999, 958, 925, 900, 800] },
    {
      code: "XPT",
      coverage: "spot",
      quoted_in: "all",
      convertible: true,
      finenesses: [999, 950, 900, 850],
      streams: ["sse", "websocket"],
    },
    {
      code: "XPD",
      coverage: "spot",
      quoted_in: "all",
      convertible: true,
      finenesses: [999, 950, 500],
      streams: ["sse", "websocket"],
    },
  ],
  currencies: [
    { code: "AED", quoted: true },
    { code: "BDT", name: "Bangladeshi taka", minor_units: 2, approximate_per_usd: 122, simulated: { volatility: 0.03 } },
    {
      code: "BHD",
      name: "Bahraini dinar",
      minor_units: 3,
      peg: { to: "USD", units: "0.376", fixed: true },
      approximate_per_usd: 0.376,
      simulated: { volatility: 0 },
    },
    { code: "EGP", quoted: true },
    { code: "KWD", name: "Kuwaiti dinar", minor_units: 3, approximate_per_usd: 0.307, simulated: { volatility: 0.015 } },
    { code: "LKR", name: "Sri Lankan rupee", minor_units: 2, approximate_per_usd: 305, simulated: { volatility: 0.04 } },
    { code: "NPR", quoted: true, peg: { to: "INR", units: "1.6", fixed: true }, simulated: { volatility: 0 } },
    {
      code: "OMR",
      name: "Omani rial",
      minor_units: 3,
      peg: { to: "USD", units: "0.3845", fixed: true },
      approximate_per_usd: 0.3845,
      simulated: { volatility: 0 },
    },
    { code: "PKR", quoted: true },
    {
      code: "QAR",
      name: "Qatari riyal",
      minor_units: 2,
      peg: { to: "USD", units: "3.64", fixed: true },
      approximate_per_usd: 3.64,
      simulated: { volatility: 0 },
    },
    { code: "SAR", quoted: true },
    { code: "TWD", name: "New Taiwan dollar", minor_units: 2, approximate_per_usd: 31.3, simulated: { volatility: 0.05 } },
    { code: "VND", quoted: true },
  ],
};
