/** What a client gets whose number is ahead of this process: nothing twice, and a reset when the numbering restarted. */
import type { Entry } from "./entry.ts";
import type { Member } from "./group.ts";

/** How far two machines' clocks may differ. */
const MAX_CLOCK_SKEW_MS = 5_000;

/**
 * An entry for a member that has named its own last number.
 *
 * A named number was received before. An entry not above it but of a later time therefore belongs to another numbering.
 * @returns null for what the member already has; preceded by a gap of reason `reset` when the numbering restarted
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
