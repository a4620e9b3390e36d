/** Every rule, and what one route's answers did against each. */
import { failureOf } from "../report/failure.ts";
import type { Failure, Result } from "../report/outcome.ts";
import { bounded } from "../report/recorder.ts";
import { body, contentType } from "./body.ts";
import { declared, plainFault } from "./declared.ts";
import { delay } from "./delay.ts";
import { figures } from "./figures.ts";
import { authenticate, cacheControl, deprecation, noCors, requestId } from "./headers.ts";
import { limits, retryAfter } from "./limits.ts";
import type { Rule, Subject } from "./rule.ts";

/** The rules, in the order they are told. */
export const RULES: readonly Rule[] = [
  declared,
  plainFault,
  body,
  contentType,
  requestId,
  cacheControl,
  noCors,
  limits,
  retryAfter,
  authenticate,
  deprecation,
  delay,
  figures,
];

/** A fault and the rule it breaks. */
export interface Fault {
  readonly rule: Rule;
  readonly text: string;
}

/** What makes two faults the same: figures and places in lists differ from answer to answer. */
const kindOf = ({ rule, text }: Fault): string => `${rule.title}: ${text.replaceAll(/\d+/g, "#")}`;

/** What the answers of one route did against the rules. */
export class RuleBook {
  readonly #applied = new Set<string>();
  readonly #seen = new Map<string, { readonly title: string; readonly failure: Failure }>();

  /** Judges an answer; the faults are returned, and nothing is noted but that the rules applied. */
  judge(subject: Subject): Fault[] {
    return RULES.flatMap((rule) => {
      const faults = rule.judge(subject);
      if (faults === null) return [];
      this.#applied.add(rule.title);
      return faults.map((text) => ({ rule, text }));
    });
  }

  /** Judges an answer and notes its faults, each kind once, by the shortest request that showed it. */
  note(subject: Subject): void {
    for (const fault of this.judge(subject)) {
      const kind = kindOf(fault);
      const failure = failureOf(fault.text, fault.rule.says, subject.exchange);
      const known = this.#seen.get(kind);
      if (!known || failure.sent.length < known.failure.sent.length) this.#seen.set(kind, { title: fault.rule.title, failure });
    }
  }

  /** Judges an answer and keeps only faults of a kind not noted before. */
  news(subject: Subject): Fault[] {
    return this.judge(subject).filter((fault) => !this.#seen.has(kindOf(fault)));
  }

  /** A result for every rule that applied to any answer. */
  results(route: string): Result[] {
    return RULES.filter(({ title }) => this.#applied.has(title)).map(({ title }) => {
      const failures = [...this.#seen.values()].filter((seen) => seen.title === title).map(({ failure }) => failure);
      const status = failures.length > 0 ? "failed" : "passed";
      return { route, group: "answers", title, status, failures: bounded(failures), durationMs: 0 };
    });
  }
}
