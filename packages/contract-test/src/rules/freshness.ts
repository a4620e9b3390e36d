/** What holds for the age of figures: what is not called stale is fresh, and a stream sends ticks as they are computed. */
import { contract, TIER_REACH } from "@assay/contract";
import { isDelayed } from "../wire/caller.ts";
import { isStream } from "../wire/exchange.ts";
import { type AnswerObject, objectsOf, ticksIn } from "./answer-objects.ts";
import { isSuccess, type Rule, type Subject } from "./rule.ts";

/** Clocks are compared over a network, and a publisher's may be ahead. */
const TOLERANCE_MS = 60_000;

/** A connection this far behind is closed, so that no tick it sends can be older. */
const STREAM_BEHIND_MS = 30_000;

/** Routes whose answers say that they are stale by the reason alone. */
const WITHOUT_FLAG: ReadonlySet<string> = new Set([contract.convert.get.path, contract.carat.get.path]);

const METAL_FIELDS = ["symbol", "metal", "from", "to"] as const;

/** How long the prices that a figure is made of stay fresh; undefined where that is not known, or is another matter. */
const windowOf = ({ route, freshForMs }: Subject, said: AnswerObject): number | undefined => {
  // Of a past instant, or of a settlement, which is fresh for days.
  if (said.as_of !== undefined || said.contract_type === "futures") return undefined;
  const metals =
    route.path === contract.carat.get.path ? ["XAU"] : METAL_FIELDS.map((name) => String(said[name]).split("-")[0] ?? "");
  const windows = metals.flatMap((metal) => freshForMs?.get(metal) ?? []);
  return windows.length === 0 ? undefined : Math.max(...windows);
};

const isCalledFresh = ({ route }: Subject, said: AnswerObject): boolean =>
  said.is_stale === undefined ? WITHOUT_FLAG.has(route.path) && said.stale_reason === undefined : said.is_stale === false;

/** A price that is not called stale is no older than its sources stay fresh, beside the tier's delay. */
export const freshness: Rule = {
  title: "freshness",
  says: "a price that is not called stale is no older than a reading of its sources stays fresh, and the tier's delay",
  judge: (subject) => {
    if (!isSuccess(subject) || isStream(subject.exchange)) return null;
    const { caller } = subject.exchange.sent;
    const delayMs = isDelayed(caller) ? TIER_REACH[caller.tier].delayMs : 0;
    const ages = objectsOf(subject.route, subject.exchange).flatMap((said) => {
      const moment = Date.parse(String(said.computed_at ?? said.timestamp));
      const windowMs = windowOf(subject, said);
      if (Number.isNaN(moment) || windowMs === undefined || !isCalledFresh(subject, said)) return [];
      return [{ ageMs: subject.askedAtMs - moment, mostMs: windowMs + delayMs + TOLERANCE_MS }];
    });
    if (ages.length === 0) return null;
    const late = ages.find(({ ageMs, mostMs }) => ageMs > mostMs);
    return late ? [`a price that is not called stale is ${Math.round(late.ageMs / 1_000)} seconds old`] : [];
  },
};

/** The first tick that is too old to be sent, in words; null when none is. Of the last known price a stream begins with, nothing is said. */
export const lateTick = (ticks: readonly AnswerObject[], nowMs: number): string | null => {
  const ages = ticks.flatMap(({ snapshot, computed_at: at }) => (snapshot === true ? [] : [nowMs - Date.parse(String(at))]));
  const late = ages.find((ageMs) => ageMs > STREAM_BEHIND_MS);
  return late === undefined ? null : `a tick is ${Math.round(late / 1_000)} seconds old`;
};

/** A tick of a stream is new, unless it is the last known one that a stream begins with. */
export const liveTicks: Rule = {
  title: "live ticks",
  says: "a stream sends a tick within 30 seconds of its computation; older is only the snapshot that it begins with",
  judge: (subject) => {
    if (!isSuccess(subject) || !isStream(subject.exchange)) return null;
    const fault = lateTick(ticksIn(subject.exchange), subject.askedAtMs);
    return fault === null ? [] : [fault];
  },
};
