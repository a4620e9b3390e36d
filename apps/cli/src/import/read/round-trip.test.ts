/** A file written in any form reads back to the same bars. */
import { INTERVAL_MS } from "@assay/contract";
import { compareDecimalText } from "@assay/pricing";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { NOW_MS, openScratch, zoneNamed } from "../testing/trial.ts";
import { DELIMITERS, FORMS, type Form, type Role } from "./formats.ts";
import { recogniseLayout } from "./layout.ts";
import { readFileBars } from "./read-bars.ts";
import { headOf, inspectFile } from "./source-file.ts";
import * as forms from "./times.ts";
import type { Zone } from "./zone.ts";

const scratch = openScratch();
afterAll(() => scratch.remove());

const ZONES = ["UTC", "+02:00", "-05:00", "Asia/Kolkata", "America/New_York+07:00", "Europe/Athens"].map(zoneNamed);
/** A scale, and its inverse. */
const SCALES = [
  ["1", "1"],
  ["0.01", "100"],
  ["1000", "0.001"],
  ["0.8", "1.25"],
  ["0.00032", "3125"],
] as const;

/** The wall-clock time in a zone; null in an hour that occurs twice, which depends on the rows before it. */
const wallMsOf = (zone: Zone, atMs: number): number | null => {
  for (let quarter = -48; quarter <= 56; quarter += 1) {
    const wallMs = atMs + quarter * 900_000;
    const [first, second] = [zone.instantOf(wallMs, Number.NEGATIVE_INFINITY), zone.instantOf(wallMs, atMs - 1)];
    if (second === atMs) return first === second && zone.instantOf(wallMs, atMs) === atMs ? wallMs : null;
  }
  return null;
};

const writeTime = (form: forms.TimeForm, atMs: number, zone: Zone): readonly [date: string, time: string] => {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const wall = iso(form.isZoned ? atMs : (wallMsOf(zone, atMs) ?? 0));
  const [year, month, day, time] = [wall.slice(0, 4), wall.slice(5, 7), wall.slice(8, 10), wall.slice(11, 19)];
  switch (form) {
    case forms.ISO:
      return [`${year}-${month}-${day}`, time];
    case forms.ISO_ZONED:
      return [`${iso(atMs + 7_200_000).slice(0, 19)}+02:00`, ""];
    case forms.DOTTED:
      return [`${year}.${month}.${day}`, time];
    case forms.COMPACT:
      return [`${year}${month}${day}`, time.replaceAll(":", "")];
    case forms.DAY_FIRST:
    case forms.DAY_FIRST_GMT:
      return [`${day}.${month}.${year}`, time];
    case forms.DAY_FIRST_ZONED:
      return [`${day}.${month}.${year} ${time}.000 GMT+0000`, ""];
    case forms.EPOCH_SECONDS:
      return [String(atMs / 1_000), ""];
    default:
      return [String(atMs), ""];
  }
};

/** A form, one of its time formats, and one of its delimiters. */
const written = fc
  .constantFrom(
    ...FORMS.flatMap((form) => form.times.flatMap((time) => form.delimiters.map((each) => [form, time, each] as const))),
  )
  .chain(([form, time, delimiter]) =>
    fc.record({ form: fc.constant(form), time: fc.constant(time), delimiter: fc.constant(delimiter) }),
  );

const columnsOf = (form: Form): readonly (readonly [name: string, role: Role])[] => {
  if (Array.isArray(form.columns)) return form.columns.map((role: Role) => ["", role]);
  const first = form.example.split("\n")[0] ?? "";
  const delimiter = DELIMITERS.find((each) => first.includes(each)) ?? ",";
  const columns = Object.entries(form.columns);
  return first.split(delimiter).map((name) => [name, columns.find(([each]) => each === name.toLowerCase())?.[1] ?? "other"]);
};

const bar = fc
  .record({
    base: fc.integer({ min: 250_000, max: 390_000 }),
    parts: fc.array(fc.nat({ max: 999 }), { minLength: 4, maxLength: 4 }),
    decimals: fc.integer({ min: 0, max: 8 }),
    volume: fc.oneof(fc.integer({ min: 0, max: 99_999 }).map(String), fc.constantFrom("0", "0.5", "12345678901.25")),
  })
  .map(({ base, parts, decimals, volume }) => {
    const text = (cents: number): string => {
      const digits = `${cents}`.padEnd(12, "0731509");
      return decimals === 0 ? digits.slice(0, 4) : `${digits.slice(0, 4)}.${digits.slice(4, 4 + decimals)}`;
    };
    const [low, a, b, high] = parts.toSorted((x, y) => x - y).map((part) => text(base + part));
    return {
      open: parts[0] === parts[3] ? (a ?? "") : (b ?? ""),
      high: high ?? "",
      low: low ?? "",
      close: a ?? "",
      volume,
    };
  });

/** Exact integer arithmetic: the value to write so that the scale restores it. */
const unscaled = (price: string, inverse: string): string => {
  const [whole = "", part = ""] = inverse.split(".");
  const units = BigInt(price.replace(".", "")) * BigInt(whole + part);
  const decimals = (price.split(".")[1] ?? "").length + part.length;
  const digits = units.toString().padStart(1 + decimals, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

test("a file of any form, delimiter, zone and scale reads back to the same bars, exactly", async () => {
  const hours = fc.uniqueArray(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      written,
      fc.constantFrom(...ZONES),
      fc.constantFrom(...SCALES),
      hours,
      fc.array(bar, { minLength: 6, maxLength: 6 }),
      fc.boolean(),
      async ({ form, time, delimiter }, zone, [scale, inverse], starts, bars, isQuoted) => {
        fc.pre(starts.every((hour) => wallMsOf(zone, Date.UTC(2023, 0, 1) + hour * INTERVAL_MS["1h"]) !== null));
        const columns = columnsOf(form);
        const rows = starts.map((hour, index) => {
          const atMs = Date.UTC(2023, 0, 1) + hour * INTERVAL_MS["1h"];
          return { barStartMs: atMs, ...(bars[index] ?? bars[0]) } as { barStartMs: number } & Record<string, string>;
        });
        const lines = rows.map((row) => {
          const [date, clock] = writeTime(time, row.barStartMs, zone);
          const hasTime = columns.some(([, role]) => role === "time") && columns.some(([, role]) => role === "date");
          const cell = (role: Role): string => {
            if (role === "date" || (role === "time" && !hasTime)) return hasTime || clock === "" ? date : `${date} ${clock}`;
            if (role === "time") return clock;
            // Ticks stand for the volume only where there is none.
            if (role === "ticks" && columns.some(([, each]) => each === "volume")) return "7";
            if (role === "ticks" || role === "volume") return row.volume ?? "";
            return role === "other" ? "1" : unscaled(row[role] ?? "", inverse);
          };
          const quote = (text: string): string => (isQuoted ? `"${text}"` : text);
          return columns.map(([, role]) => quote(cell(role))).join(delimiter);
        });
        const header = Array.isArray(form.columns) ? [] : [columns.map(([name]) => name).join(delimiter)];
        const path = scratch.write("written.csv", `${[...header, ...lines].join("\n")}\n`);
        const file = await inspectFile(path);
        const layout = recogniseLayout(path, await headOf(file), { format: form.format, isZoneNamed: true });
        const source = { file, layout, symbol: "GC", interval: "1h", zone, nowMs: NOW_MS, scale } as const;
        const read = [];
        for await (const batch of readFileBars(source)) read.push(...batch.map((each) => each.bar));
        expect(read.map(({ barStartMs }) => barStartMs)).toEqual(rows.map(({ barStartMs }) => barStartMs));
        for (const [index, each] of read.entries()) {
          for (const field of ["open", "high", "low", "close"] as const) {
            expect(
              compareDecimalText(each[field] ?? "", rows[index]?.[field] ?? ""),
              `${each[field]} ${rows[index]?.[field]}`,
            ).toBe(0);
          }
          const volume = rows[index]?.volume ?? "";
          if (layout.volume < 0 || (form.isZeroVolumeNone && volume === "0")) expect(each.volume).toBeNull();
          else expect(compareDecimalText(each.volume ?? "-1", volume)).toBe(0);
        }
      },
    ),
    { numRuns: process.env.TEST_DEPTH === "deep" ? 200 : 80 },
  );
});
