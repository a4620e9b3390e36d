/** What is left out of events that wait, and that none is forgotten. */
import { expect, test } from "vitest";
import { MOST_PENDING, mergeEvents } from "./merging.ts";

const event = (alertId: string, index: number) => ({
  id: `${alertId}_${index}`,
  alertId,
  payload: JSON.stringify({ type: "price.above", data: { seq: index } }),
});

test("the newest of each alert are kept, and the last of them counts all that were left out before it, also earlier", () => {
  const others = [event("b", 1)];
  let waiting = [...others];
  for (let index = 0; index < MOST_PENDING + 25; index += 1) waiting = [...mergeEvents([...waiting, event("a", index)]).kept];
  expect(waiting).toHaveLength(MOST_PENDING + 1);
  expect(waiting[0]).toEqual(others[0]);
  const figures = waiting.slice(1).map(({ payload }) => JSON.parse(payload).data);
  expect(figures.map(({ seq }) => seq)).toEqual(Array.from({ length: MOST_PENDING }, (_, index) => index + 25));
  // Those that are left out later hand on their count.
  expect(figures.reduce((sum, { merged = 0 }) => sum + merged, 0)).toBe(25);
});
