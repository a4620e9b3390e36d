/** Schedules sessions by the sweep they are due in, so that a sweep visits no others. */

/** An item with a due instant. */
export interface Dated {
  /** When it is due; infinite for never. */
  readonly dueMs: number;
  /** The page it is on; set by the calendar. */
  page: number | null;
}

/** Pages of equal length, with the items due in each. */
export class Calendar<T extends Dated> {
  readonly #pageMs: number;
  readonly #pages = new Map<number, Set<T>>();
  /** The first page not yet processed. */
  #next: number;

  constructor(pageMs: number, nowMs: number) {
    this.#pageMs = pageMs;
    this.#next = Math.ceil(nowMs / pageMs);
  }

  /** Schedules an item. Postponing is free here: it is noticed when the page is processed. */
  note(dated: T): void {
    const page = Math.max(Math.ceil(dated.dueMs / this.#pageMs), this.#next);
    if (page === Number.POSITIVE_INFINITY || (dated.page !== null && dated.page <= page)) return;
    this.forget(dated);
    const noted = this.#pages.get(page);
    if (noted) noted.add(dated);
    else this.#pages.set(page, new Set([dated]));
    dated.page = page;
  }

  /** Removes an item. */
  forget(dated: T): void {
    if (dated.page === null) return;
    this.#pages.get(dated.page)?.delete(dated);
    dated.page = null;
  }

  /**
   * Processes the pages up to an instant.
   * @returns the items due, each once; an item that is to be due again must be scheduled again
   */
  *take(nowMs: number): Generator<T, void, undefined> {
    while (this.#next * this.#pageMs <= nowMs) {
      const page = this.#next;
      this.#next += 1;
      const noted = this.#pages.get(page);
      // Items removed during the iteration are skipped.
      for (const dated of noted ?? []) {
        this.forget(dated);
        if (dated.dueMs > nowMs) this.note(dated);
        else yield dated;
      }
      this.#pages.delete(page);
    }
  }
}
