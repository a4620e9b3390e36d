/** Every rule, and how one route's answers violated each. */
import { bounded, type Failure, failureOf, type Result } from "../report/outcome.ts";
import { body, contentType, declared, location, plainFault } from "./declared.ts";
import { FIGURES } from "./figures.ts";
import { authenticate, cacheControl, deprecation, noCors, requestId } from "./headers.ts";
import { limits, retryAfter } from "./limits.ts";
import { LISTS } from "./lists.ts";
import { MOMENT_RULES } from "./moments.ts";
import type { Rule, Subject } from "./rule.ts";
import { sourcesAddUp } from "./sources.ts";
import { STREAM_RULES } from "./stream.ts";

/** The rules, in the order they are reported. */
export const RULES: readonly Rule[] = [
  declared,
  plainFault,
  body,
  contentType,
  location,
  requestId,
  cacheControl,
  noCors,
  limits,
  retryAfter,
  authenticate,
  deprecation,
  ...MOMENT_RULES,
  ...STREAM_RULES,
  ...FIGURES,
  ...LISTS,
  sourcesAddUp,
];

/** Those of what an answer says, whatever carries it. */
export const CONTENT_RULES: readonly Rule[] = [declared, body, requestId, ...MOMENT_RULES, ...FIGURES, ...LISTS, sourcesAddUp];

export interface Fault {
  readonly rule: Rule;
  readonly text: string;
}

/** What makes two violations the same: figures and list indices differ from answer to answer. */
const kindOf = ({ rule, text }: Fault): string => `${rule.title}: ${text.replaceAll(/\d+/g, "#")}`;

/** Rule violations in the answers of one route. */
export class RuleBook {
  readonly #applied = new Set<string>();
  readonly #seen = new Map<string, { readonly title: string; readonly failure: Failure }>();

  /** Checks an answer; violations are returned, and only the fact that a rule applied is recorded. */
  judge(subject: Subject): Fault[] {
    return RULES.flatMap((rule) => {
      const faults = rule.judge(subject);
      if (faults === null) return [];
      this.#applied.add(rule.title);
      return faults.map((text) => ({ rule, text }));
    });
  }

  /** Checks an answer and records its violations, each kind once, with the shortest request that showed it. */
  note(subject: Subject): void {
    for (const fault of this.judge(subject)) {
      const kind = kindOf(fault);
      const failure = failureOf(fault.text, fault.rule.says, subject.exchange);
      const known = this.#seen.get(kind);
      if (!known || failure.sent.length < known.failure.sent.length) this.#seen.set(kind, { title: fault.rule.title, failure });
    }
  }

  /** Checks an answer and keeps only violations of a kind not recorded before. */
  news(subject: Subject): Fault[] {
    return this.judge(subject).filter((fault) => !this.#seen.has(kindOf(fault)));
  }

  /** A result for every rule that applied to any answer. */
  results(route: string): Result[] {
    return RULES.filter(({ title }) => this.#applied.has(title)).map(({ title }) => {
      const failures = [...this.#seen.values()].filter((seen) => seen.title === title).map(({ failure }) => failure);
      const status = failures.length > 0 ? "failed" : "passed";
      return { route, group: "responses", title, status, failures: bounded(failures), durationMs: 0 };
    });
  }
}
