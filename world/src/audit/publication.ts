/** Promises 1 and 2: what is committed, published and followed. */
import type { MarketEvent } from "@assay/live";
import type { Frame } from "../follower.ts";
import { type Audit, broken } from "./audit.ts";
import { GOLD, type Rows, shown } from "./rows.ts";

/** A price that was published. */
interface Published {
  readonly seq: number;
  readonly price: string;
  readonly atMs: number;
}

export class Publication {
  readonly #audit: Audit;
  readonly #rows: Rows;
  readonly published: Published[] = [];
  /** Frames of followers that are not yet compared with rows. */
  #frames: { readonly follower: string; readonly frame: Frame }[] = [];
  #token = 0;
  #newest = { token: 0, place: 0, atMs: 0 };

  constructor(audit: Audit, rows: Rows) {
    this.#audit = audit;
    this.#rows = rows;
  }

  granted(token: number): Promise<void> {
    return this.#audit.check(() => {
      if (token <= this.#token) broken("tokens", `${token} was granted after ${this.#token}`);
      this.#token = token;
    });
  }

  /** Before any process receives it. */
  sent(event: MarketEvent): Promise<void> {
    return this.#audit.check(async () => {
      if (event.kind !== "moment") return;
      const ticks = event.ticks.filter(({ instrument }) => instrument === GOLD);
      if (ticks.length === 0) return;
      await this.#rows.refresh();
      const rows = new Map(this.#rows.ticks.map((row) => [row.seq, row]));
      for (const { seq, price, computedAtMs: atMs } of ticks) {
        const row = rows.get(seq);
        if (!row) return broken("committed", `${seq} at ${price} is not in the store`);
        if (row.price !== price || row.atMs !== atMs) broken("committed", `${seq} is ${row.price}, published as ${price}`);
        if (row.token !== event.token) broken("once", `${seq} is of writer ${row.token}, published by ${event.token}`);
        this.published.push({ seq, price, atMs });
      }
    });
  }

  /** @param last the number before it, as the follower knows */
  received(follower: string, frame: Frame, last: number | undefined): void {
    void this.#audit.check(() => {
      this.#frames.push({ follower, frame });
      if (last === undefined) return;
      const [from, to] = frame.type === "gap" ? [frame.from_seq, frame.to_seq] : [frame.seq, frame.seq];
      if (from <= last && frame.reason !== "reset") broken("followed", `${follower} got ${from} after ${last}`);
      if (from > last + 1) broken("followed", `${follower} got ${from} after ${last}, and no gap`);
      if (to < from) broken("followed", `${follower} got a gap from ${from} to ${to}`);
    });
  }

  /** A follower that is connected to a process that has everything. */
  caughtUp(follower: string, last: number | undefined): Promise<void> {
    return this.#audit.check(() => {
      const newest = this.#rows.inOrder.at(-1)?.seq;
      if (newest !== last) broken("followed", `${follower} has ${last} of ${newest}`);
    });
  }

  /** What is committed, at any time. */
  committed(): Promise<void> {
    return this.#audit.check(() => {
      for (const { place, token, seq, atMs } of this.#rows.ticks) {
        if (place <= this.#newest.place) continue;
        if (token < this.#newest.token) broken("tokens", `tick ${seq} was committed by ${token} after ${this.#newest.token}`);
        if (atMs < this.#newest.atMs) broken("forwards", `tick ${seq} is of ${atMs}, after ${this.#newest.atMs}`);
        this.#newest = { token, place, atMs };
      }
      const rows = new Map(this.#rows.ticks.map((row) => [row.seq, row]));
      for (const { follower, frame } of this.#frames.splice(0)) {
        if (frame.type === "gap") continue;
        const row = rows.get(frame.seq);
        if (!row) return broken("committed", `${follower} got ${frame.seq}, which is not in the store`);
        if (shown(row.price) !== frame.price)
          broken("committed", `${follower} got ${frame.seq} at ${frame.price}, not ${row.price}`);
      }
    });
  }
}
