/** How a process ends that has a wrong setting. */
import { describe, expect, test } from "vitest";
import { type Exit, exitOnSettingError, SettingError } from "./setting-error.ts";
import { parseSettings } from "./settings.ts";

class Ended extends Error {}

const recording = () => {
  const lines: string[] = [];
  const codes: number[] = [];
  const exit: Exit = {
    write: (line) => lines.push(line),
    end: (code) => {
      codes.push(code);
      throw new Ended();
    },
  };
  return { lines, codes, exit };
};

describe("a wrong setting", () => {
  test("ends the process with exit 1 and exactly one line", () => {
    const { lines, codes, exit } = recording();
    expect(() => exitOnSettingError(() => parseSettings({ PORT: "eighty\nPORT=80" }), exit)).toThrow(Ended);
    expect(codes).toEqual([1]);
    expect(lines).toEqual(['PORT holds "eighty\\nPORT=80"; it may hold a port from 0 to 65535 (0 is any free one)\n']);
  });

  test("is told apart from a fault of the program, which is thrown on", () => {
    const { lines, exit } = recording();
    const fault = () => {
      throw new TypeError("a fault");
    };
    expect(() => exitOnSettingError(fault, exit)).toThrow(TypeError);
    expect(lines).toEqual([]);
  });

  test("names its variable to programs too", () => {
    expect(new SettingError({ variable: "FEEDS", value: "x", mayHold: "y", because: "z" })).toMatchObject({
      variable: "FEEDS",
      message: 'FEEDS holds "x" (z); it may hold y',
    });
  });
});

test("right settings are handed on", () => {
  expect(exitOnSettingError(() => parseSettings({ PORT: "1" })).port).toBe(1);
});
