/** A folder an operator drops the exchange's settlement files into, under a licence of the operator's own. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type SettlementObservation, settlementPublisher } from "@assay/pricing";
import { CME_FILES, readSettlementFile } from "../cme/settlement-file.ts";
import type { Feed, FeedContext } from "../feed.ts";
import { FeedError, toFeedError } from "../feed-error.ts";
import { freshFor } from "../freshness.ts";
import { textOf } from "../payload/json.ts";

const INTERVAL_MS = 60_000;
/** Files are looked at again in every round for so long after they came; older ones at the start. */
const RECENT_MS = 3 * 86_400_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const FORM = /^[^.].*\.(json|csv)$/i;

interface DroppedFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly cameAtMs: number;
  /** Changes with the file. */
  readonly state: string;
}

const list = async (folder: string): Promise<DroppedFile[]> => {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new FeedError("unreachable", "the folder of settlement files cannot be read", { cause });
  });
  const found = await Promise.all(
    names
      .filter((name) => FORM.test(name))
      .sort()
      .map(async (name): Promise<DroppedFile | null> => {
        const path = join(folder, name);
        // A file may go between the listing and the look.
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
  terms: "Files the operator is licensed for; what may be served of them is the licence's to say.",
  moves: false,
} as const;

/**
 * The feed over a folder.
 *
 * A file with a fault is named once and nothing of it is taken, until it is replaced.
 * @param folder where the files are dropped
 */
export const cmeFiles = (folder: string): Feed => {
  const known = new Map<string, { readonly state: string; readonly settlements: readonly SettlementObservation[] }>();

  const take = async (context: FeedContext, file: DroppedFile): Promise<readonly SettlementObservation[]> => {
    const before = known.get(file.name);
    if (before?.state === file.state) return before.settlements;
    let settlements: readonly SettlementObservation[] = [];
    try {
      if (file.bytes > MAX_FILE_BYTES) throw new FeedError("too-large", `${file.name}: larger than ${MAX_FILE_BYTES} bytes`);
      settlements = readSettlementFile(file.name, textOf({ bytes: await readFile(file.path) }));
    } catch (thrown) {
      const { kind, message, cause } = toFeedError(thrown);
      const named = message.startsWith(file.name) ? message : `${file.name}: ${message}`;
      context.partial(new FeedError(kind, named, { cause }));
    }
    known.set(file.name, { state: file.state, settlements });
    return settlements;
  };

  const read = async (context: FeedContext, sinceMs: number): Promise<readonly SettlementObservation[]> => {
    const files = (await list(folder)).filter((file) => file.cameAtMs >= sinceMs);
    const taken: SettlementObservation[] = [];
    for (const file of files) taken.push(...(await take(context, file)));
    return taken;
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
