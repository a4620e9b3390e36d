import { describe, expect, test } from "vitest";
import { frameFields } from "../generated/stream.ts";
import { gap, heartbeat, physical, tick } from "../testing/frames.ts";
import { readFrame } from "./link.ts";

const read = (frame: object) => readFrame(JSON.stringify(frame));

describe("a frame", () => {
  test.each([tick(1), physical(1), gap(1, 2, "missed"), heartbeat({ "XAU-USD-SPOT": 7 })])(
    "as the contract has it is read: $type",
    (frame) => {
      expect(read(frame)).toMatchObject({ type: frame.type });
      expect(read({ ...frame, added_later: 1 })).toMatchObject({ addedLater: 1 });
      for (const field of Object.keys(frameFields[frame.type] ?? {}))
        expect(() => read({ ...frame, [field]: undefined })).toThrow(`${frame.type} frame with a missing or invalid ${field}`);
    },
  );

  test.each([
    ["a number that is no whole one", { ...tick(1), seq: 1.5 }],
    ["a number below 0", { ...gap(1, 2, "missed"), from_seq: -1 }],
    ["text for a number", { ...tick(1), seq: "1" }],
    ["a numbering that is none", heartbeat({ "XAU-USD-SPOT": -1 })],
    ["a quote that lacks its instant", { ...physical(1), quote: { ...physical(1).quote, quoted_at: undefined } }],
    ["an instant that is none", { ...tick(1), computed_at: "noon" }],
    ["no object", [tick(1)]],
  ])("with %s is refused", (_, frame) => {
    expect(() => read(frame)).toThrow(TypeError);
  });

  test("of an unknown kind is ignored", () => {
    expect(read({ type: "weather" })).toBeNull();
    expect(read({ type: "constructor" })).toBeNull();
  });
});
