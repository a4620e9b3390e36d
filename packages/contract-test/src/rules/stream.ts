/** What holds for the ticks of a stream: they are sent as they are computed, and none is left out without a word. */
import { parseJson } from "@assay/contract";
import { type Exchange, fieldsOf, isStream } from "../wire/exchange.ts";
import { type AnswerObject, isSuccess, type Rule } from "./rule.ts";

/** A connection this far behind is closed, so that no tick it sends can be older. */
const BEHIND_MS = 30_000;

/** The events of a stream that was read: its ticks, and the gaps between them, by their `type`. */
export const eventsIn = ({ text }: Pick<Exchange, "text">): AnswerObject[] =>
  text.split(/\r?\n\r?\n/).flatMap((event) => {
    const [, name = "tick"] = /^event: ?(.*)$/m.exec(event) ?? [];
    const [, data] = /^data: ?(.*)$/m.exec(event) ?? [];
    return data === undefined || !["tick", "gap"].includes(name) ? [] : [{ type: name, ...fieldsOf(parseJson(data)) }];
  });

/** The first tick that is too old to be sent, in words; null when none is. A stream begins with the last known price, however old. */
export const lateTick = (events: readonly AnswerObject[], nowMs: number): string | null => {
  const ages = events.map((tick) => (tick.snapshot === true ? 0 : nowMs - Date.parse(String(tick.computed_at))));
  const late = ages.find((ageMs) => ageMs > BEHIND_MS);
  return late === undefined ? null : `a tick is ${Math.round(late / 1_000)} seconds old`;
};

/** The first number that is missing between ticks and is not said to be, in words; null when none is. */
export const lostTick = (events: readonly AnswerObject[]): string | null => {
  let last: number | undefined;
  for (const { type, seq, to_seq: to, reason, from_seq: from } of events) {
    if (type === "gap") last = reason === "reset" ? Number(from) - 1 : Number(to);
    else {
      if (last !== undefined && seq !== last + 1) return `tick ${String(seq)} comes after ${last}`;
      last = Number(seq);
    }
  }
  return null;
};

/** A request that resumes a stream gets what it missed, of the last five minutes. */
const resumes = ({ sent: { url, headers } }: Exchange): boolean =>
  new URL(url).searchParams.has("lastEventId") || Object.keys(headers).some((name) => /^last-event-id$/i.test(name));

const ofStreams = (
  title: string,
  says: string,
  fault: (events: readonly AnswerObject[], nowMs: number, exchange: Exchange) => string | null,
): Rule => ({
  title,
  says,
  judge: (subject) => {
    if (!isSuccess(subject) || !isStream(subject.exchange)) return null;
    const found = fault(eventsIn(subject.exchange), subject.askedAtMs, subject.exchange);
    return found === null ? [] : [found];
  },
});

export const STREAM_RULES: readonly Rule[] = [
  ofStreams(
    "live ticks",
    "a stream sends a tick within 30 seconds of its computation; older is only the snapshot that it begins with, and what a resumed one missed",
    (events, nowMs, exchange) => (resumes(exchange) ? null : lateTick(events, nowMs)),
  ),
  ofStreams("ticks in sequence", "seq increases by one, unless a gap names the numbers that are not sent", lostTick),
];
