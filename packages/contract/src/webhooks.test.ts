import { expect, test } from "vitest";
import { exampleEvent, WEBHOOK_TYPES, WEBHOOKS, webhookEvent } from "./webhooks.ts";

test.each(WEBHOOK_TYPES)("%s has an example of its own body, with every field declared", (type) => {
  const { schema, example, summary } = WEBHOOKS[type];
  expect(schema.shape.type.value).toBe(type);
  expect(summary).toMatch(/^[A-Z].*[^.]$/);
  expect(exampleEvent(type)).toEqual({ type, timestamp: expect.any(String), data: example });
});

test("the body of any event is that of one of the types", () => {
  expect(webhookEvent.options.map((option) => option.shape.type.value)).toEqual(WEBHOOK_TYPES);
});

test.each([
  ["a figure that is a number", { ...exampleEvent("price.above"), data: { ...exampleEvent("price.above").data, price: 4003.2 } }],
  ["a type that does not exist", { ...exampleEvent("price.above"), type: "price.sideways" }],
  ["a price event without a threshold", { ...exampleEvent("price.stale"), type: "price.above" }],
])("the schema refuses %s", (_, event) => {
  expect(webhookEvent.safeParse(event).success).toBe(false);
});
