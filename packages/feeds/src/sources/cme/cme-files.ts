/** A folder for the exchange's settlement files, used under the operator's own licence. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type SettlementObservation, settlementPublisher } from "@assay/pricing";
import { FeedError, toFeedError } from "../../feed/error.ts";
import { type Feed, type FeedContext, freshFor } from "../../feed/feed.ts";
import { textOf } from "../../payload/body.ts";
import { CME_FILES, readSettlementFile } from "./settlement-file.ts";

const INTERVAL_MS = 60_000;
/** New files are checked in every round for this long; older ones only at the start. */
const RECENT_MS = 3 * 86_400_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const FORM = /^[^.].*\.(json|csv)$/i;

interface DroppedFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly cameAtMs: number;
  /** Changes whenever the file does. */
  readonly state: string;
}

const list = async (folder: string): Promise<DroppedFile[]> => {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new FeedError("unreachable", "failed to read the folder of settlement files", { cause });
  });
  const found = await Promise.all(
    names
      .filter((name) => FORM.test(name))
      .sort()
      .map(async (name): Promise<DroppedFile | null> => {
        const path = join(folder, name);
        // A file may be deleted between listing and stat.
        const seen = await stat(path).catch(() => null);
        if (!seen?.isFile()) return null;
        const { size: bytes, mtimeMs, ctimeMs: cameAtMs } = seen;
        return { name, path, bytes, cameAtMs, state: `${bytes} ${mtimeMs} ${cameAtMs}` };
      }),
  );
  return found.filter((file) => file !== null);
};

const info = {
  key: CME_FILES,
  role: "informational",
  intervalMs: INTERVAL_MS,
  freshForMs: freshFor(INTERVAL_MS),
  required: false,
  ...settlementPublisher(CME_FILES),
  origin: "comex",
  terms: "Files the operator is licensed for; what may be served of them is the licence's to say.",
  moves: false,
} as const;

/** A file as it was read: its settlements, or why it has none. */
interface ReadFile {
  readonly state: string;
  readonly settlements: readonly SettlementObservation[];
  readonly fault: FeedError | null;
}

const readDropped = async ({ name, path, bytes, state }: DroppedFile): Promise<ReadFile> => {
  try {
    if (bytes > MAX_FILE_BYTES) throw new FeedError("too-large", `larger than ${MAX_FILE_BYTES} bytes`);
    return { state, settlements: readSettlementFile(name, textOf({ bytes: await readFile(path) })), fault: null };
  } catch (thrown) {
    const { kind, message, cause } = toFeedError(thrown);
    const named = message.startsWith(name) ? message : `${name}: ${message}`;
    return { state, settlements: [], fault: new FeedError(kind, named, { cause }) };
  }
};

/**
 * The feed over a folder. A faulty file is skipped as a whole, and named in every round until it is replaced.
 * @param folder where the files are dropped
 */
export const cmeFiles = (folder: string): Feed => {
  const known = new Map<string, ReadFile>();

  const take = async (file: DroppedFile): Promise<ReadFile> => {
    const before = known.get(file.name);
    if (before?.state === file.state) return before;
    const read = await readDropped(file);
    known.set(file.name, read);
    return read;
  };

  const read = async (context: FeedContext, sinceMs: number): Promise<readonly SettlementObservation[]> => {
    const files = (await list(folder)).filter((file) => file.cameAtMs >= sinceMs);
    const taken: ReadFile[] = [];
    for (const file of files) taken.push(await take(file));
    const [first, ...others] = taken.flatMap(({ fault }) => fault ?? []);
    if (first) {
      const all = [first, ...others].map(({ message }) => message).join("; ");
      context.partial(new FeedError(first.kind, all, { cause: first.cause }));
    }
    return taken.flatMap(({ settlements }) => settlements);
  };

  return {
    info,
    kind: "settlement",
    sources: [info],
    baseUrl: "",
    fetch: (context) => read(context, context.nowMs - RECENT_MS),
    backfill: (context) => read(context, Number.NEGATIVE_INFINITY),
  };
};
