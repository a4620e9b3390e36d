/** Parses the metal of the surface routes. */
import { SURFACE_METALS, type SurfaceMetal } from "@assay/contract";

/**
 * Parses a metal, case-insensitively.
 * @returns null when it has no surface
 */
export const readSurfaceMetal = (text: string): SurfaceMetal | null => {
  const lower = text.toLowerCase();
  return SURFACE_METALS.find((metal) => metal === lower) ?? null;
};
