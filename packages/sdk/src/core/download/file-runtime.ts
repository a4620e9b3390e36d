/** The file and checksum functions used of the runtime. */
import { AssayError } from "../errors.ts";
import { builtinModule } from "../runtime.ts";

/** An open file, with the methods used. */
export interface OpenFile {
  /** Appends all of the bytes. */
  writeFile(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A checksum being computed. */
export interface Checksum {
  update(bytes: Uint8Array): unknown;
  digest(form: "hex"): string;
}

/** The parts used of `node:fs/promises` and `node:crypto`, which Deno and Bun also have. */
export interface FileRuntime {
  open(path: string, flags: "wx"): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { readonly force: true }): Promise<void>;
  createHash(algorithm: "sha256"): Checksum;
}

/**
 * Loads the runtime's file functions.
 * @throws AssayError when it has none
 */
export const fileRuntime = (): FileRuntime => {
  const files = builtinModule("node:fs/promises");
  const crypto = builtinModule("node:crypto");
  if (!files || !crypto)
    throw new AssayError(
      "Saving files needs Node.js 20.16 or later, Deno or Bun. Elsewhere, request the link and fetch it yourself",
    );
  const { open, rename, rm } = files as FileRuntime; // the modules' documented interface
  const { createHash } = crypto as FileRuntime; // as above
  return { open, rename, rm, createHash };
};
