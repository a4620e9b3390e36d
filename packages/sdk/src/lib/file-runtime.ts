/** What of files and checksums the runtime lends. */
import { AssayError } from "../core/errors.ts";
import { builtinModule } from "../core/runtime.ts";

/** An open file, as far as it is used. */
export interface OpenFile {
  /** Writes the whole of them behind what was written before. */
  writeFile(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A checksum in the making. */
export interface Checksum {
  update(bytes: Uint8Array): unknown;
  digest(form: "hex"): string;
}

/** The parts used of `node:fs/promises` and `node:crypto`, which Deno and Bun have as well. */
export interface FileRuntime {
  open(path: string, flags: "wx"): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { readonly force: true }): Promise<void>;
  createHash(algorithm: "sha256"): Checksum;
}

/**
 * Asks the runtime for files.
 * @throws AssayError where there are none
 */
export const fileRuntime = (): FileRuntime => {
  const files = builtinModule("node:fs/promises");
  const crypto = builtinModule("node:crypto");
  if (!files || !crypto)
    throw new AssayError("Saving needs files: Node.js from 20.16, Deno or Bun. Elsewhere take the link and fetch it yourself");
  const { open, rename, rm } = files as FileRuntime; // the modules' own documentation says so
  const { createHash } = crypto as FileRuntime; // as above
  return { open, rename, rm, createHash };
};
