/** Those who receive events of alerts: each person's addresses answer as it does at the time. */
import type { Time } from "@assay/ports";
import type { WriterOptions } from "@assay/writer";
import type { Manner, PersonName } from "./cast.ts";
import type { Host } from "./host.ts";

export type Post = WriterOptions["webhooks"]["post"];

const ANSWERS_AFTER_MS = 40;
const STATUS: Readonly<Record<Exclude<Manner, "hangs">, number>> = { accepts: 204, fails: 500, redirects: 307, gone: 410 };

export class Receivers {
  readonly #time: Time;
  readonly #manners = new Map<PersonName, Manner>();

  constructor(time: Time) {
    this.#time = time;
  }

  /** How somebody's receivers answer from now on. */
  set(person: PersonName, manner: Manner): void {
    this.#manners.set(person, manner);
  }

  /** @param onPost called with what leaves a writer */
  postFrom(host: Host, onPost: (person: PersonName, url: string, id: string, body: string) => void): Post {
    return async ({ url, headers, body }) => {
      if (!host.isAlive) return null;
      const person = new URL(url).hostname.split(".")[0] as PersonName; // as `addressOf` made it
      onPost(person, url, headers["webhook-id"] ?? "", body);
      const manner = this.#manners.get(person) ?? "accepts";
      // Also when it is asked to give up.
      if (manner === "hangs") return new Promise(() => undefined);
      await this.#time.sleep(ANSWERS_AFTER_MS);
      return { httpStatus: STATUS[manner] };
    };
  }
}

/** A new address of somebody. */
export const addressOf = (person: PersonName, number: number): string => `https://${person}.example.com/${number}`;
