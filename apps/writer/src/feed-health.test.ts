import { simulatedSource } from "@assay/simulator";
import { FRIDAY_MS } from "@assay/testkit";
import { expect, test } from "vitest";
import { feedsDocument } from "./feed-health.ts";

test("the report names the instruments that required sources price, not those that are only listed beside a price", () => {
  const source = simulatedSource({ seed: 1, hours: "always" });
  const rest = { record: { deliveriesOf: () => null }, archives: null, offReference: [], refusesWrites: false };
  const { required } = feedsDocument({ runners: [], clocked: [{ source, refused: new Map() }], ...rest }, FRIDAY_MS);
  const makes = [...source.sources.values()].filter((each) => each.required && each.role !== "informational");
  expect(required?.toSorted()).toEqual([...new Set(makes.flatMap(({ instruments = [] }) => instruments))].sort());
  expect(required).toContain("XAU-USD-SPOT");
  const token = {
    ...source,
    sources: new Map([...source.sources].map(([key, each]) => [key, { ...each, role: "informational" as const }])),
  };
  expect(feedsDocument({ runners: [], clocked: [{ source: token, refused: new Map() }], ...rest }, FRIDAY_MS).required).toEqual(
    [],
  );
});
