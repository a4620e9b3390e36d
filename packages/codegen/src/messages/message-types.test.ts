/** Types of messages. */
import { describe, expect, it } from "vitest";
import { argumentsOf, messageTypesFile } from "./message-types.ts";

describe("the type of a message", () => {
  it.each([
    ["Metal", "string"],
    ["{metal} per {unit}", 'Message<"metal" | "unit">'],
    ["{count, number} s", 'Message<never, "count">'],
    ["{tier} goes back {days, plural, one {# day} other {# days}}", 'Message<"tier", "days">'],
    ["{days, plural, one {a day of {metal}} other {# days of {metal}}}", 'Message<"metal", "days">'],
    ["{tier, select, any {any tier} other {the tier {tier}}}", 'Message<"tier">'],
  ])("of %s is %s", (message, type) => {
    expect(messageTypesFile({ price: { "of.it": message } })).toContain(
      `  readonly price: {\n    readonly "of.it": ${type};\n  };\n`,
    );
  });
});

it.each(["{when, date}", "<b>now</b>", "{count, number} of {count}", "{open", "{count, plural, one {# day}}"])(
  "refuses %s",
  (message) => {
    expect(() => argumentsOf(message)).toThrow();
  },
);
