import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteWriter, readRows } from "./encoded-rows.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Every value of rows as text, row by row, by the fields of the first. */
const valuesIn = (pieces: readonly string[], names: readonly string[]): string[][] =>
  readRows(pieces.map(encode), (rows) =>
    Array.from({ length: rows.count }, (_, row) =>
      names.map((name) => {
        const column = rows.column(name);
        return decode(rows.bytes.subarray(rows.from(row, column), rows.to(row, column)));
      }),
    ),
  );

const NAMES = ["start", "close", "volume", "é"];
const plainText = fc.string({ unit: "grapheme" }).filter((text) => JSON.stringify(text) === `"${text}"`);
const plain = fc.oneof(plainText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
const row = fc.tuple(plain, plain, plain, plain).map((values) => Object.fromEntries(values.map((each, at) => [NAMES[at], each])));

describe("encoded rows", () => {
  test("have the values that a parser finds, in however many pieces they are", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), fc.nat(40), (rows, cut) => {
        const texts = rows.map((each, place) => JSON.stringify(each) + (place < rows.length - 1 ? "," : ""));
        const pieces = [texts.slice(0, cut).join(""), texts.slice(cut).join("")];
        const expected = rows.map((each) => NAMES.map((name) => JSON.stringify(each[name])));
        expect(valuesIn(pieces, NAMES)).toEqual(expected);
        expect(valuesIn([texts.join("")], NAMES)).toEqual(expected);
      }),
    );
  });

  test("say what is null and what they lack", () => {
    const found = readRows([encode('{"a":"null","b":null,"c":-1.5}')], (rows) => ({
      nulls: [0, 1, 2].map((column) => rows.isNull(0, column)),
      lacks: rows.column("d"),
    }));
    expect(found).toEqual({ nulls: [false, true, false], lacks: -1 });
  });

  test.each([[[]], [[""]], [["", ""]]])("are none in %j", (pieces) => {
    expect(readRows(pieces.map(encode), ({ count }) => count)).toBe(0);
  });

  test.each([
    ["a list", '{"a":[1]}'],
    ["an object", '{"a":{"b":1}}'],
    ["an escape", '{"a":"x\\"y"}'],
    ["more fields in a later row", '{"a":1},{"a":1,"b":2}'],
    ["no end", '{"a":1},{"a":"x'],
    ["something else behind them", '{"a":1},"b"'],
  ])("are not read when they hold %s", (_, text) => {
    expect(() => readRows([encode(text)], () => "read")).toThrow("an encoded row");
  });

  test("within others are read apart from them, and so is what is written meanwhile", () => {
    const first = (pieces: readonly string[], meanwhile: () => void): string[] =>
      readRows(pieces.map(encode), (rows) => {
        const writer = new ByteWriter().copy(rows.bytes, rows.from(0, 0), rows.to(0, 0));
        meanwhile();
        return [decode(writer.copy(rows.bytes, rows.from(1, 0), rows.to(1, 0)).finish())];
      });
    const found: string[][] = [];
    found.push(first(['{"a":1},', '{"a":3}'], () => found.push(first(['{"b":2},', '{"b":4}'], () => undefined))));
    expect(found).toEqual([["24"], ["13"]]);
  });
});

describe("written bytes", () => {
  test("are all that was written, in its order, and stay as they are while others are written", () => {
    const pieces = fc.array(fc.string({ unit: "grapheme", maxLength: 300 }), { maxLength: 200 });
    fc.assert(
      fc.property(pieces, pieces, (first, second) => {
        const write = (texts: readonly string[]): Uint8Array =>
          texts.reduce((writer, text) => writer.text(text), new ByteWriter()).finish();
        const [written, other] = [write(first), write(second)];
        expect([decode(written), decode(other)]).toEqual([first.join(""), second.join("")]);
      }),
    );
    const long = "x".repeat(5_000_000);
    expect(decode(new ByteWriter().text("a").text(long).finish())).toBe(`a${long}`);
  });

  test("that are lent stay as they are until they are given back, and are given back once", () => {
    const lend = (text: string) => new ByteWriter().text(text).lend();
    const [first, second] = [lend("first"), lend("second")];
    first.giveBack();
    first.giveBack();
    const others = [lend("third"), lend("fourth")];
    expect([second, ...others].map(({ bytes }) => decode(bytes))).toEqual(["second", "third", "fourth"]);
  });

  test("are the digits of whole numbers", () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), (number) => {
        expect(decode(new ByteWriter().whole(number).byte(0x2c).finish())).toBe(`${number},`);
      }),
    );
    for (const number of [0, 9, 10, 99, 100, 0xffff_ffff])
      expect(decode(new ByteWriter().whole(number).finish())).toBe(String(number));
  });

  test("are copied without two bytes or not at all", () => {
    const write = (text: string): string => {
      const writer = new ByteWriter().text("<");
      const isCopied = writer.copyWithout(encode(text), 1, text.length, 0x2c, 0x3b);
      return `${decode(writer.text(">").finish())} ${isCopied}`;
    };
    expect(["1abc", ",a", "", "aa,", "aa;b"].map(write)).toEqual(["<abc> true", "<a> true", "<> true", "<> false", "<> false"]);
  });
});
