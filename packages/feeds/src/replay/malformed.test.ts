/** Every kind of malformed replay line, and its error message. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BAR,
  DEALER,
  EXAMPLE,
  FX,
  load,
  MARKET,
  OPTION,
  refusal,
  SETTLEMENT,
  SILENCE,
  SPOT,
  write,
} from "../testing/replay-files.ts";
import { ReplayError } from "./lines.ts";
import { loadReplay } from "./load.ts";

describe("a malformed line", () => {
  const without = (line: string, field: string) => JSON.stringify({ ...JSON.parse(line), [field]: undefined });
  const withValue = (line: string, field: string, value: unknown) => JSON.stringify({ ...JSON.parse(line), [field]: value });

  it("names the file, its number counting blank lines, and the field", async () => {
    const file = write(`${SPOT}\n\n${without(FX, "base")}\n`);
    const error = await refusal(loadReplay(file));
    expect(error).toMatchObject({ file, line: 3, field: "base" });
    expect(error.message).toBe(`${file}, line 3, base: is missing`);
  });

  it.each(
    [SPOT, FX, SETTLEMENT, DEALER, BAR, OPTION, MARKET, SILENCE].flatMap((line) =>
      Object.keys(JSON.parse(line))
        .filter((field) => !["bid", "ask"].includes(field) || JSON.parse(line).kind !== "spot")
        .map((field) => [JSON.parse(line).kind as string, field, without(line, field)] as const),
    ),
  )("is one of kind %s without %s", async (_kind, field, line) => {
    expect(await refusal(load(line))).toMatchObject({ line: 1, field });
  });

  it.each([SPOT, FX, SETTLEMENT, DEALER, BAR, OPTION, MARKET, SILENCE])("is one with a field too many: %s", async (line) => {
    expect(await refusal(load(withValue(line, "colour", "red")))).toMatchObject({ line: 1, field: "colour" });
  });

  it.each([
    ["unknown kind", withValue(SPOT, "kind", "tick"), "kind"],
    ["price as a number", withValue(SPOT, "price", 4003.2), "price"],
    ["price with an exponent", withValue(SPOT, "price", "4e3"), "price"],
    ["price with a comma", withValue(SPOT, "price", "4,003.20"), "price"],
    ["price with a leading zero", withValue(SPOT, "price", "04003"), "price"],
    ["empty price", withValue(SPOT, "price", ""), "price"],
    ["null bid", withValue(SPOT, "bid", null), "bid"],
    ["source with a tab", withValue(BAR, "source", "replay\ta"), "source"],
    ["source with a line feed", withValue(BAR, "source", "replay\na"), "source"],
    ["unknown instrument", withValue(SPOT, "instrument", "XAU-EUR-SPOT"), "instrument"],
    ["unknown role", withValue(SPOT, "role", "main"), "role"],
    ["required as text", withValue(SPOT, "required", "true"), "required"],
    ["interval of zero", withValue(SPOT, "expected_interval_seconds", 0), "expected_interval_seconds"],
    ["time without a zone", withValue(SPOT, "observed_at", "2026-11-21T01:00:00"), "observed_at"],
    ["time with an offset", withValue(SPOT, "observed_at", "2026-11-21T01:00:00+00:00"), "observed_at"],
    ["day that does not exist", withValue(SPOT, "observed_at", "2026-02-30T01:00:00Z"), "observed_at"],
    ["time as a number", withValue(SPOT, "observed_at", 1795222800), "observed_at"],
    ["empty source", withValue(SPOT, "source", ""), "source"],
    ["rate as a number", withValue(FX, "rates", { EUR: 0.86 }), "rates.EUR"],
    ["rate of no currency", withValue(FX, "rates", { euro: "0.86" }), "rates.euro"],
    ["no rates", withValue(FX, "rates", {}), "rates"],
    ["role of a price on a table", withValue(FX, "role", "primary"), "role"],
    ["contract of another metal", withValue(SETTLEMENT, "contract", "SIZ26"), "contract"],
    ["contract without a month", withValue(SETTLEMENT, "contract", "GC26"), "contract"],
    ["negative volume", withValue(SETTLEMENT, "volume", -1), "volume"],
    ["volume as text", withValue(SETTLEMENT, "volume", "1200"), "volume"],
    ["price of zero", withValue(SETTLEMENT, "price", "0.00"), "price"],
    ["country of nowhere", withValue(DEALER, "country", "XX"), "country"],
    ["karat above 24", withValue(DEALER, "karat", 25), "karat"],
    ["dealer who neither sells nor buys", JSON.stringify({ ...JSON.parse(DEALER), sell: null, buyback: null }), "sell"],
    ["unknown unit", withValue(DEALER, "weight_unit", "stone"), "weight_unit"],
    ["unknown interval", withValue(BAR, "interval", "1w"), "interval"],
    ["unknown series", withValue(BAR, "symbol", "GDX"), "symbol"],
    ["volume of a bar as a number", withValue(BAR, "volume", 8123400), "volume"],
    ["unknown style", withValue(OPTION, "style", "bermudan"), "style"],
    ["negative size", withValue(OPTION, "bid_size", "-1"), "bid_size"],
    ["probability above one", withValue(MARKET, "yes_ask", "1.01"), "yes_ask"],
    ["unknown condition", withValue(MARKET, "condition", "below"), "condition"],
    ["key that appears twice", SPOT.replace('"price"', '"price":"1","price"'), "price"],
    ["array", "[1]", null],
    ["text", '"spot"', null],
    ["cut object", SPOT.slice(0, 40), null],
    ["two objects on a line", `${SPOT}${FX}`, null],
  ])("is refused: %s", async (_what, line, field) => {
    expect(await refusal(load(SPOT, line))).toMatchObject({ line: 2, field });
  });

  it("is refused when it is endless, before it is read completely", async () => {
    const error = await refusal(loadReplay(write(`${SPOT}\n${"x".repeat(1_000_000)}`)));
    expect(error).toMatchObject({ line: 2 });
    expect(error.message).toContain("longer than 65536");
  });

  it("is refused when it is not UTF-8", async () => {
    const error = await refusal(loadReplay(write(Buffer.concat([Buffer.from(`${SPOT}\n`), Buffer.from([0xff, 0xfe, 0x00])]))));
    expect(error.message).toContain("not UTF-8");
  });

  it("never loads as anything but a replay or a ReplayError, whatever the bytes", async () => {
    const mangled = fc.record({
      line: fc.constantFrom(...EXAMPLE.trim().split("\n")),
      place: fc.nat(300),
      put: fc.string({ maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.json(),
            mangled.map(({ line, place, put }) => line.slice(0, place) + put + line.slice(place + 1)),
          ),
        ),
        async (lines) => {
          const loaded = await load(...lines).catch((error: unknown) => error);
          expect(loaded instanceof ReplayError || (loaded as { records: unknown }).records !== undefined).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
