/**
 * How many events of an alert may wait: of a receiver that does not take them, or for the database. Beyond that the oldest are left
 * out, and the newest says how many were.
 */

/** The most events of one alert that wait to be sent. */
export const MOST_PENDING = 10;

export interface PendingEvent {
  readonly id: string;
  readonly alertId: string | null;
  readonly payload: string;
}

export interface Merged<E extends PendingEvent> {
  readonly kept: readonly E[];
  readonly dropped: readonly E[];
}

const mergedIn = (payload: string): number => {
  const { data }: { data: { merged?: number } } = JSON.parse(payload); // written by the judge
  return data.merged ?? 0;
};

/** The same event, which says how many of its alert are left out before it. */
const saying = <E extends PendingEvent>(event: E, merged: number): E => {
  const { data, ...rest } = JSON.parse(event.payload); // written by the judge
  return { ...event, payload: JSON.stringify({ ...rest, data: { ...data, merged } }) };
};

/** Leaves out the oldest events of each alert that has too many; `events` are in order. */
export const mergeEvents = <E extends PendingEvent>(events: readonly E[]): Merged<E> => {
  const ofAlert = new Map<string | null, E[]>();
  for (const event of events) {
    const own = ofAlert.get(event.alertId);
    if (own) own.push(event);
    else ofAlert.set(event.alertId, [event]);
  }
  const crowded = [...ofAlert.values()].filter((own) => own.length > MOST_PENDING);
  if (crowded.length === 0) return { kept: events, dropped: [] };
  const dropped = new Set(crowded.flatMap((own) => own.slice(0, -MOST_PENDING)));
  const newest = new Map<E, E>();
  for (const own of crowded) {
    const last = own.at(-1);
    const left = own.slice(0, -MOST_PENDING).reduce((sum, { payload }) => sum + 1 + mergedIn(payload), 0);
    if (last) newest.set(last, saying(last, left + mergedIn(last.payload)));
  }
  const kept = events.filter((event) => !dropped.has(event)).map((event) => newest.get(event) ?? event);
  return { kept, dropped: [...dropped] };
};
