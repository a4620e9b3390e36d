/** The message of an invalid setting. */
import { describe, expect, test } from "vitest";
import { parseSettings } from "./settings.ts";
import { SettingError } from "./variables.ts";

describe("a wrong setting", () => {
  test("is described in exactly one line", () => {
    expect(() => parseSettings({ PORT: "eighty\nPORT=80" })).toThrow(
      expect.objectContaining({
        message: 'PORT is "eighty\\nPORT=80"; expected a port from 0 to 65535 (0 is any free one)',
      }),
    );
  });

  test("names its variable to programs too", () => {
    expect(new SettingError({ variable: "FEEDS", value: "x", mayHold: "y", because: "z" })).toMatchObject({
      variable: "FEEDS",
      message: 'FEEDS is "x" (z); expected y',
    });
  });
});
