/** What somebody gets who is ahead of this process: nothing twice, and word of it when the numbering began anew. */
import type { Entry } from "./entry.ts";
import type { Member } from "./member.ts";

/** How far the clocks of two machines may differ. */
const MAX_CLOCK_SKEW_MS = 5_000;

/**
 * An entry as a member gets it that has named a number of its own.
 *
 * Whoever names a number had it before. So an entry that is not above it, but is of a later time, belongs to another numbering.
 * @returns null for what the member has already; behind a gap of reason `reset` when the numbering began anew
 */
export const beyond = (member: Member, entry: Entry): Entry | null => {
  const ahead = member.ahead?.get(entry.name);
  if (!ahead) return entry;
  if (entry.seq <= ahead.seq && entry.atMs <= ahead.atMs + MAX_CLOCK_SKEW_MS) return null;
  member.ahead?.delete(entry.name);
  if (member.ahead?.size === 0) member.ahead = null;
  if (entry.seq <= ahead.seq) return entry.behind({ fromSeq: entry.seq, toSeq: ahead.seq, reason: "reset" });
  if (!entry.gap || entry.gap.fromSeq > ahead.seq) return entry;
  return entry.behind(ahead.seq + 1 < entry.seq ? { ...entry.gap, fromSeq: ahead.seq + 1 } : null);
};
