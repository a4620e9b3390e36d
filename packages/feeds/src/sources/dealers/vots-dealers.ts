/** Built-in dealers on the VOTS platform. */
import type { VotsDealer } from "./vots.ts";

const THREE_NINES = { karat: 24, fineness: "999", weight: "10", weightUnit: "gram" } as const;

/** Arihant, in Mumbai; prices include sales tax. */
export const ARIHANT: VotsDealer = {
  key: "vots-arihant",
  dealer: "Arihant Spot",
  url: "https://www.arihantspot.in",
  baseUrl: "https://bcast.arihantspot.com:7768",
  template: "arihant",
  rows: [
    {
      row: "2728",
      name: "GOLD 999 WITH GST",
      id: "gold-999-gst",
      product: "Gold 999 with GST, per 10 g",
      form: "bar",
      taxIncluded: true,
      ...THREE_NINES,
    },
  ],
};

/** Navkar, in Mumbai. */
export const NAVKAR: VotsDealer = {
  key: "vots-navkar",
  dealer: "Navkar Gold",
  url: "https://navkargold.com",
  baseUrl: "https://bcast.navkargold.com:7768",
  template: "navkar",
  rows: [
    {
      row: "7594",
      name: "GOLD 999 IMP",
      id: "gold-999",
      product: "Gold 999 imported, per 10 g",
      form: "bar",
      ...THREE_NINES,
    },
  ],
};

/** All of them. */
export const VOTS_DEALERS: readonly VotsDealer[] = [ARIHANT, NAVKAR];
