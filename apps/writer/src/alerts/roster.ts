/**
 * Which alerts are judged, and on whose prices: what their owners may have at this moment. A paused alert that goes on is judged as
 * if it was made then.
 */
import type { TierCatalog } from "@assay/contract";
import type { StoredAlert } from "@assay/db";
import {
  type AlertOwner,
  type AlertStanding,
  alertPaused,
  type JudgeView,
  PAUSED_MEMORY,
  readPriceSymbol,
  viewOf,
} from "@assay/pricing";

export interface Placement {
  readonly alert: StoredAlert;
  /** Null when it is not judged any more: it is paused, or deleted. */
  readonly view: JudgeView | null;
  readonly isChanged: boolean;
  /** Whether it was paused until now, in this term or before. */
  readonly isAfresh: boolean;
  /** Whether it is paused from now on, which is to be remembered. */
  readonly isPausing: boolean;
}

interface Entry {
  alert: StoredAlert;
  /** Undefined until it has been placed. */
  view?: JudgeView | null;
  isChanged: boolean;
}

/** An owner without rights that are known may have nothing. */
const NOBODY: AlertOwner = { tier: "free", livesUntilMs: 0, isSuspended: false };

const isSame = (left: AlertOwner, right: AlertOwner): boolean =>
  left.tier === right.tier && left.livesUntilMs === right.livesUntilMs && left.isSuspended === right.isSuspended;

/** The oldest first: those beyond the number of a tier are the newest. */
const byAge = ({ alert: left }: Entry, { alert: right }: Entry): number =>
  left.createdAtMs - right.createdAtMs || (left.id < right.id ? -1 : 1);

/** All alerts, by owner. */
export class Roster {
  readonly #catalog: Pick<TierCatalog, "tiers">;
  readonly #entries = new Map<string, Entry>();
  readonly #ofOwner = new Map<string, Set<Entry>>();
  #owners: ReadonlyMap<string, AlertOwner> = new Map();
  /** Owners whose alerts are to be placed again. */
  readonly #due = new Set<string>();
  #gone: StoredAlert[] = [];
  /** When the keys of the next owner end. */
  #endMs = Number.POSITIVE_INFINITY;

  constructor(catalog: Pick<TierCatalog, "tiers">) {
    this.#catalog = catalog;
  }

  /** Whether the rights of an organisation were read. */
  knows(orgId: string): boolean {
    return this.#owners.has(orgId);
  }

  /** The change of its owner by which an alert is judged; 0 for one that is not there. */
  revisionOf(id: string): number {
    return this.#entries.get(id)?.alert.revision ?? 0;
  }

  /** Takes what owners made, changed and deleted. */
  change(alerts: readonly StoredAlert[]): void {
    for (const alert of alerts) {
      const { id, orgId, isDeleted } = alert;
      const known = this.#entries.get(id);
      const owned = this.#ofOwner.get(orgId) ?? new Set();
      this.#due.add(orgId);
      if (isDeleted) {
        this.#entries.delete(id);
        if (known) owned.delete(known);
        this.#gone.push(alert);
      } else if (known) Object.assign(known, { alert, isChanged: true });
      else {
        const entry: Entry = { alert, isChanged: true };
        this.#entries.set(id, entry);
        this.#ofOwner.set(orgId, owned.add(entry));
      }
    }
  }

  /** Takes what owners may have, all of them. */
  own(owners: ReadonlyMap<string, AlertOwner>): void {
    for (const orgId of this.#ofOwner.keys())
      if (!isSame(owners.get(orgId) ?? NOBODY, this.#owners.get(orgId) ?? NOBODY)) this.#due.add(orgId);
    this.#owners = owners;
    this.#endMs = Math.min(...[...owners.values()].map(({ livesUntilMs }) => livesUntilMs || Number.POSITIVE_INFINITY));
  }

  /** Notes where an alert stands now. */
  stands(id: string, standing: AlertStanding): void {
    const entry = this.#entries.get(id);
    if (entry) entry.alert = { ...entry.alert, ...standing };
  }

  /** The alerts that are judged otherwise than before from an instant on. */
  place(nowMs: number): Placement[] {
    if (nowMs >= this.#endMs) {
      for (const orgId of this.#ofOwner.keys()) this.#due.add(orgId);
      const later = [...this.#owners.values()].map(({ livesUntilMs }) => livesUntilMs).filter((endMs) => endMs > nowMs);
      this.#endMs = Math.min(...later);
    }
    const gone = this.#gone.map(
      (alert): Placement => ({ alert, view: null, isChanged: true, isAfresh: false, isPausing: false }),
    );
    this.#gone = [];
    const placed = [...this.#due].flatMap((orgId) => this.#placeOf(orgId, nowMs));
    this.#due.clear();
    return [...gone, ...placed];
  }

  #placeOf(orgId: string, nowMs: number): Placement[] {
    const owner = this.#owners.get(orgId) ?? NOBODY;
    const entries = [...(this.#ofOwner.get(orgId) ?? [])].sort(byAge);
    return entries.flatMap((entry, older) => {
      const { alert, isChanged, view: before } = entry;
      const reading = readPriceSymbol(alert.symbol);
      const symbol = reading.kind === "known" ? reading.entry : null;
      const view = alertPaused(this.#catalog, owner, { symbol, older }, nowMs) === null ? viewOf(owner.tier) : null;
      Object.assign(entry, { view, isChanged: false });
      if (view === before && !isChanged) return [];
      const isRemembered = alert.memory === PAUSED_MEMORY;
      const isAfresh = before === null || isRemembered;
      return { alert, view, isChanged, isAfresh, isPausing: view === null && !isRemembered && alert.state !== "fired" };
    });
  }
}
