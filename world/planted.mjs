/** Faults that the world must find: each a few words of one file, changed while it is loaded. Nothing on disk changes. */

/**
 * @typedef {{ readonly file: string, readonly is: string, readonly becomes: string }} Change
 * @type {readonly (Change & { readonly name: string, readonly also?: readonly Change[] })[]}
 */
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
  {
    name: "taken-back-for-ever",
    file: "apps/writer/src/moments/moment-writer.ts",
    is: "const { withdrawnBars, bars } = joinedWith(withdrawn, moment.bars);",
    becomes:
      "const kept = (this.kept ??= []); kept.push(...withdrawn); const { withdrawnBars, bars } = joinedWith(kept, moment.bars);",
  },
  {
    name: "midnight-belongs-to-the-day-before",
    file: "packages/services/src/market/past-price.ts",
    is: 'question.reach === "day" ? question.atMs - 1 : question.atMs',
    becomes: "question.atMs",
  },
  {
    name: "receiver-awaited-without-bound",
    file: "apps/writer/src/alerts/delivery-desk.ts",
    is: "if (await endsWithin(this.settled(), endWithinMs, clock)) return;",
    becomes: "await this.settled(); return;",
  },
  {
    name: "tier-read-once",
    file: "apps/stream/src/session/key-watch.ts",
    is: "if (!connection.isIncludedIn(standing.tier)) this.#gated.push(connection);",
    becomes: "",
  },
  {
    name: "delay-off-by-a-second",
    file: "packages/services/src/access/gate.ts",
    is: "nowMs - caller.reach.delayMs;",
    becomes: "nowMs - Math.max(0, caller.reach.delayMs - 1_000);",
  },
  {
    name: "deletion-ignored-by-the-queue",
    file: "apps/writer/src/alerts/attempts.ts",
    is: 'const error = isDeleted ? "deleted" : paused;',
    becomes: "const error = paused;",
    // Without a secret nothing can be signed, and so nothing sent.
    also: [
      {
        file: "packages/db/src/alerts/endpoints.ts",
        is: ", secret = '', previous_secret = null from seat",
        becomes: " from seat",
      },
    ],
  },
  {
    name: "rights-of-then",
    file: "apps/writer/src/alerts/attempts.ts",
    is: "if (error !== null) return",
    becomes: "if (error !== null && isDeleted) return",
  },
  {
    name: "counts-not-refunded",
    file: "packages/services/src/access/limits.ts",
    is: "refund: () => this.#refund(orgId, day)",
    becomes: "refund: () => undefined",
  },
  {
    name: "rate-of-now-for-a-tick-of-then",
    file: "packages/services/src/market/market-view.ts",
    is: "return this.#rateSets.get(id) ??",
    becomes: "return [...this.#rateSets.values()].at(-1) ??",
  },
  {
    name: "bus-that-skips",
    file: "apps/stream/src/hub/bus-reader.ts",
    is: "else if (this.#skips(event)) {",
    becomes: "else if (event.kind === undefined) {",
    // Nor told, nor in the numbers.
    also: [
      {
        file: "apps/stream/src/hub/bus-reader.ts",
        is: "this.#options.onMissed();\n    this.#recover();",
        becomes: "this.#options.onMissed();",
      },
      {
        file: "apps/stream/src/hub/bus-reader.ts",
        is: "last === undefined || seq === last.seq + 1 ? null",
        becomes: "last !== null ? null",
      },
    ],
  },
  {
    name: "one-call-too-many",
    file: "packages/live/src/memory/admissions.ts",
    is: "return { allowed: remaining > 0,",
    becomes: "return { allowed: remaining >= 0,",
  },
  {
    name: "crossing-between-two-terms-forgotten",
    file: "apps/writer/src/alerts/alert-desk.ts",
    is: "judge.open(cursor);",
    becomes: "",
    // Else an alert catches up from where it was stored.
    also: [
      {
        file: "packages/pricing/src/alerts/judge.ts",
        is: "return this.#catchUp(line, { ...group, priced: new Map([[alert.id, watch]]) }, fromSeq);",
        becomes: "return [];",
      },
    ],
  },
  {
    name: "withdrawal-not-retracted",
    file: "apps/writer/src/alerts/alert-desk.ts",
    is: "await this.#retract(nowMs);",
    becomes: "",
  },
];
