/** Archives as publishers send them, and malicious ones. */
import { deflateSync, strToU8, zipSync } from "fflate";
import { describe, expect, it, vi } from "vitest";
import { FeedError } from "../feed/error.ts";
import { unzipOnly } from "./body.ts";

const zlib = vi.hoisted(() => ({ inflated: 0 }));
vi.mock("node:zlib", async (original) => {
  const real = await original<typeof import("node:zlib")>();
  const inflateRawSync: typeof real.inflateRawSync = (packed, options) => {
    zlib.inflated += 1;
    return real.inflateRawSync(packed, options);
  };
  return { ...real, inflateRawSync };
});

const MIB = 1024 * 1024;
const CSV = strToU8("Date,USD\n2026-11-19,1.1628\n");

const refusalOf = (bytes: Uint8Array, maxBytes = MIB): FeedError => {
  zlib.inflated = 0;
  try {
    unzipOnly(bytes, ".csv", maxBytes);
  } catch (error) {
    if (error instanceof FeedError) return error;
    throw error;
  }
  return expect.fail("it was unpacked");
};

/** An archive whose directory and header state a size that differs from its file's. */
const lying = (file: Uint8Array, stated: number): Uint8Array => {
  const bytes = zipSync({ "a.csv": file });
  const view = new DataView(bytes.buffer);
  const directory = view.getUint32(bytes.length - 6, true);
  view.setUint32(22, stated, true);
  view.setUint32(directory + 24, stated, true);
  return bytes;
};

describe("the one file of an archive", () => {
  it.each([0, 6] as const)("is unpacked, packed at level %i", (level) => {
    expect(Buffer.from(unzipOnly(zipSync({ "rates.csv": CSV }, { level }), ".csv", MIB))).toEqual(Buffer.from(CSV));
  });

  it("may fill the allowed size, and not a byte more", () => {
    const bytes = zipSync({ "a.csv": new Uint8Array(MIB) });
    expect(unzipOnly(bytes, ".csv", MIB)).toHaveLength(MIB);
    expect(refusalOf(bytes, MIB - 1).kind).toBe("too-large");
  });

  it("is bounded by its unpacked size, whatever size the archive states", () => {
    const refused = refusalOf(lying(new Uint8Array(8 * MIB), 10));
    expect(refused.kind).toBe("too-large");
    expect(refused.message).toBe(`the archive unpacks to more than ${MIB} bytes`);
  });
});

describe("an archive", () => {
  it("of more than one file is refused with nothing unpacked, however they are called", () => {
    const large = new Uint8Array(MIB);
    const named = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.csv`, large]));
    for (const files of [named, { "a.csv": CSV, "readme.txt": CSV }, { "readme.txt": CSV, "a.csv": CSV }]) {
      expect(refusalOf(zipSync(files)).message).toBe("the archive does not hold exactly one .csv");
      expect(zlib.inflated).toBe(0);
    }
  });

  it.each([
    ["of another file", zipSync({ "readme.txt": CSV }), "exactly one .csv"],
    ["of no file", zipSync({}), "exactly one .csv"],
    ["that is none", strToU8("PK and nothing else"), "not a ZIP archive"],
    ["that is empty", new Uint8Array(0), "not a ZIP archive"],
    ["that is cut", zipSync({ "a.csv": CSV }).subarray(0, 40), "not a ZIP archive"],
    ["behind other bytes", Buffer.concat([deflateSync(CSV), zipSync({ "a.csv": CSV })]), "archive"],
  ])("%s is refused", (_what, bytes, message) => {
    expect(refusalOf(bytes).message).toContain(message);
  });
});
