/** Faults that the world must find: each a few words of one file, changed while it is loaded. Nothing on disk changes. */

/** @type {readonly { readonly name: string, readonly file: string, readonly is: string, readonly becomes: string }[]} */
export const PLANTED = [
  {
    name: "no-fence",
    file: "packages/db/src/statements/fence.ts",
    is: "...(writer ? [mayPass(writer)] : []),",
    becomes: "",
  },
  {
    name: "publish-before-commit",
    file: "apps/writer/src/moments/moment-writer.ts",
    is: "const { moment, recorded, isReread } = await this.#commit();",
    becomes:
      'eventQueue.put({ kind: "moment", token: writer.token, atMs, ...this.#batch.read() }); await eventQueue.send(); const { moment, recorded, isReread } = await this.#commit();',
  },
  {
    name: "written-twice",
    file: "apps/writer/src/moments/moment-writer.ts",
    is: "seq > (seqs.get(instrument) ?? 0)",
    becomes: "seq > 0 || seqs.has(instrument)",
  },
  {
    name: "lease-below-the-fence",
    file: "packages/live/src/memory/lease.ts",
    is: "Math.max(this.#counter, floor) + 1",
    becomes: "Math.max(this.#counter, 0 * floor) + 1",
  },
  {
    name: "duplicates-on-a-stream",
    file: "apps/stream/src/hub/bus-reader.ts",
    is: "if (last !== undefined && seq <= last.seq && !isRestarted) return undefined;",
    becomes: "",
  },
  {
    name: "resume-includes-the-last",
    file: "apps/stream/src/hub/topic.ts",
    is: "entry.seq > seq && entry.atMs >= cutMs",
    becomes: "entry.seq >= seq && entry.atMs >= cutMs",
  },
];
