/** Metals of the surface routes as callers write them. */
import { SURFACE_METALS, type SurfaceMetal } from "@assay/contract";

/**
 * Reads a metal, in any case.
 * @returns null when it has no surface
 */
export const readSurfaceMetal = (text: string): SurfaceMetal | null => {
  const lower = text.toLowerCase();
  return SURFACE_METALS.find((metal) => metal === lower) ?? null;
};
