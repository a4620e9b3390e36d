/** Who is due when: sessions by the sweep they are due in, so that a sweep touches no others. */

/** Somebody with a next instant. */
export interface Dated {
  /** When it is due; infinite for never. */
  readonly dueMs: number;
  /** The page it stands on; the calendar's own note. */
  page: number | null;
}

/** Pages of one length each, and who stands on them. */
export class Calendar<T extends Dated> {
  readonly #pageMs: number;
  readonly #pages = new Map<number, Set<T>>();
  /** The first page that was not turned yet. */
  #next: number;

  constructor(pageMs: number, nowMs: number) {
    this.#pageMs = pageMs;
    this.#next = Math.ceil(nowMs / pageMs);
  }

  /** Notes when somebody is due. A later instant than the one before is found out when its page is turned, and costs nothing here. */
  note(dated: T): void {
    const page = Math.max(Math.ceil(dated.dueMs / this.#pageMs), this.#next);
    if (page === Number.POSITIVE_INFINITY || (dated.page !== null && dated.page <= page)) return;
    this.forget(dated);
    const noted = this.#pages.get(page);
    if (noted) noted.add(dated);
    else this.#pages.set(page, new Set([dated]));
    dated.page = page;
  }

  /** Strikes somebody out. */
  forget(dated: T): void {
    if (dated.page === null) return;
    this.#pages.get(dated.page)?.delete(dated);
    dated.page = null;
  }

  /**
   * Turns the pages up to an instant.
   * @returns those who are due, each once; whoever is to be due again has to be noted again
   */
  *take(nowMs: number): Generator<T, void, undefined> {
    while (this.#next * this.#pageMs <= nowMs) {
      const page = this.#next;
      this.#next += 1;
      const noted = this.#pages.get(page);
      // Those who are struck out while others are looked after are not met any more.
      for (const dated of noted ?? []) {
        this.forget(dated);
        if (dated.dueMs > nowMs) this.note(dated);
        else yield dated;
      }
      this.#pages.delete(page);
    }
  }
}
