/** The file with the keys that sign receipts: made when first needed, read again when it was replaced. */
import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { chmod, chown, link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SettingError } from "@assay/config";
import type { Log } from "@assay/live";
import type { Clock } from "@assay/ports";
import { newSigningKeys, readSigningKeys, type SigningKeyRing, type SigningKeys } from "@assay/services";

const NAME = "signing-keys.json";
/** Readable by the service's user alone. */
const PRIVATE = 0o600;
/** How long a replaced file may go unnoticed. */
const LOOK_EVERY_MS = 5_000;

/** Where the keys are. */
export interface SigningKeyPlace {
  readonly path: string;
  readonly variable: "SIGNING_KEY_FILE" | "DATA_DIR";
  readonly value: string;
}

export const signingKeyPlace = (settings: {
  readonly dataDir: string;
  readonly signingKeyFile: string | undefined;
}): SigningKeyPlace =>
  settings.signingKeyFile === undefined
    ? { path: join(settings.dataDir, NAME), variable: "DATA_DIR", value: settings.dataDir }
    : { path: settings.signingKeyFile, variable: "SIGNING_KEY_FILE", value: settings.signingKeyFile };

const hasCode = (error: unknown, code: string): boolean => error instanceof Error && "code" in error && error.code === code;

const faultOf = ({ path, variable, value }: SigningKeyPlace, error: unknown): SettingError =>
  new SettingError({
    variable,
    value,
    mayHold: variable === "DATA_DIR" ? `a folder whose ${NAME} can be read` : "a file made by `assay signing-keys rotate`",
    because: `${path}: ${error instanceof Error ? error.message : String(error)}`,
  });

/**
 * Reads the stored set.
 * @param options whether it may be missing: as a rule in the data folder, where it is made when first needed
 * @returns null when it is missing and may be
 * @throws SettingError when it cannot be read or used, or the named file is missing
 */
export const readSigningKeyFile = async (
  place: SigningKeyPlace,
  { mayBeMissing = place.variable === "DATA_DIR" } = {},
): Promise<{ readonly text: string; readonly keys: SigningKeys } | null> => {
  try {
    const text = await readFile(place.path, "utf8");
    return { text, keys: await readSigningKeys(text) };
  } catch (error) {
    if (mayBeMissing && hasCode(error, "ENOENT")) return null;
    throw faultOf(place, error);
  }
};

const besides = async (path: string, text: string, put: (written: string) => Promise<void>): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const written = `${path}.${randomUUID()}`;
  try {
    await writeFile(written, text, { mode: PRIVATE, flag: "wx" });
    await chmod(written, PRIVATE);
    await put(written);
  } finally {
    await rm(written, { force: true });
  }
};

const statOf = (path: string): Promise<Stats | null> =>
  stat(path).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  });

/**
 * Replaces the file as a whole. An existing one keeps its mode and its owner: whoever rotates need not be whom the service runs as.
 * @throws when the owner cannot be kept; the file is then as it was
 */
export const replaceSigningKeyFile = async (place: SigningKeyPlace, text: string): Promise<void> => {
  const before = await statOf(place.path);
  await besides(place.path, text, async (written) => {
    if (before !== null) {
      const { uid, gid } = await stat(written);
      if (uid !== before.uid || gid !== before.gid) await chown(written, before.uid, before.gid);
      await chmod(written, before.mode & 0o777);
    }
    await rename(written, place.path);
  });
};

/** Makes the file, unless another process has just made it. */
const createSigningKeyFile = (place: SigningKeyPlace, text: string): Promise<void> =>
  besides(place.path, text, (written) =>
    link(written, place.path).catch((error: unknown) => {
      if (!hasCode(error, "EEXIST")) throw error;
    }),
  );

export interface SigningKeyOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether other processes sign for the same service, and so need the same key. */
  readonly isOneOfMany: boolean;
}

/**
 * Opens the keys. They are read at once where there are any, so that a bad file stops the start.
 * @throws SettingError when they cannot be used
 */
export const openSigningKeys = async (
  place: SigningKeyPlace,
  { clock, log, isOneOfMany }: SigningKeyOptions,
): Promise<SigningKeyRing> => {
  if (isOneOfMany && place.variable === "DATA_DIR")
    log.warn(
      { path: place.path },
      "SIGNING_KEY_FILE is not set: receipts are signed with a key of this data folder, and do not verify with the keys of an API " +
        "process that has another; run `assay signing-keys rotate` once, and set SIGNING_KEY_FILE to that file on all of them",
    );
  let held = (await readSigningKeyFile(place))?.keys ?? null;
  let changedMs = held === null ? 0 : (await stat(place.path)).mtimeMs;
  let lookedMs = clock();
  let reading: Promise<SigningKeys> | null = null;

  const create = async (): Promise<SigningKeys> => {
    await createSigningKeyFile(place, await newSigningKeys());
    const made = await readSigningKeyFile(place);
    if (made === null) throw new Error(`${NAME} was removed while it was being created`);
    changedMs = (await stat(place.path)).mtimeMs;
    return made.keys;
  };

  /** What was read before stays in use when the file cannot be read now. */
  const refreshed = async (known: SigningKeys): Promise<SigningKeys> => {
    try {
      const { mtimeMs } = await stat(place.path);
      if (mtimeMs === changedMs) return known;
      const read = await readSigningKeyFile(place);
      changedMs = mtimeMs;
      return read?.keys ?? known;
    } catch (error) {
      log.error({ err: error }, "failed to read the signing keys; using those read before");
      return known;
    }
  };

  return {
    current: async () => {
      const nowMs = clock();
      if (held !== null && nowMs - lookedMs < LOOK_EVERY_MS) return held;
      lookedMs = nowMs;
      reading ??= (held === null ? create() : refreshed(held)).finally(() => {
        reading = null;
      });
      held = await reading;
      return held;
    },
  };
};
