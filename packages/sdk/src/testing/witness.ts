/** Checks a stream's guarantees: numbers rise, and none is skipped without a gap. */
import type { StreamEvent } from "../stream/events.ts";

/** What a witness checks. */
export type Seen =
  | { readonly type: "value"; readonly name: string; readonly seq: number }
  | {
      readonly type: "gap";
      readonly name: string;
      readonly fromSeq: number;
      readonly toSeq: number;
      readonly reason: string;
    };

/** The numbers of an event; null when it has none. */
export const seenOf = (event: StreamEvent): Seen | null => {
  if (event.type === "tick") return { type: "value", name: event.symbol, seq: event.seq };
  if (event.type === "physical") return { type: "value", name: event.channel, seq: event.seq };
  if (event.type !== "gap") return null;
  const { symbol, fromSeq, toSeq, reason } = event;
  return { type: "gap", name: symbol, fromSeq, toSeq, reason };
};

/** A witness of one subscription. */
export class Witness {
  /** Violations, in words. */
  readonly faults: string[] = [];
  /** The highest number of each name that was delivered or reported. */
  readonly accounted = new Map<string, number>();
  /** Numbers delivered, by name, in order. */
  readonly delivered = new Map<string, number[]>();
  readonly gaps: Extract<Seen, { type: "gap" }>[] = [];

  /** Checks an event. */
  see(seen: Seen | null): void {
    if (seen === null) return;
    const last = this.accounted.get(seen.name);
    if (seen.type === "value") {
      if (last !== undefined && seen.seq !== last + 1) this.faults.push(`${seen.name} ${seen.seq} after ${last}`);
      this.accounted.set(seen.name, seen.seq);
      this.delivered.set(seen.name, [...(this.delivered.get(seen.name) ?? []), seen.seq]);
      return;
    }
    this.gaps.push(seen);
    const words = `${seen.name}: gap ${seen.fromSeq} to ${seen.toSeq} (${seen.reason}) after ${last}`;
    if (seen.toSeq < seen.fromSeq) this.faults.push(words);
    if (seen.reason === "reset") {
      if (last === undefined || seen.toSeq !== last || seen.fromSeq > last) this.faults.push(words);
      this.accounted.set(seen.name, seen.fromSeq - 1);
      this.delivered.set(seen.name, []);
    } else {
      if (last !== undefined && seen.fromSeq !== last + 1) this.faults.push(words);
      this.accounted.set(seen.name, seen.toSeq);
    }
  }

  /** Resets a name that is followed again. */
  forget(name: string): void {
    this.accounted.delete(name);
    this.delivered.delete(name);
  }
}
