/** An upstream's body as data: text, JSON with the published digits, XML, or the only file of a ZIP archive. */
import { inflateRawSync } from "node:zlib";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { type UnzipFileInfo, unzipSync } from "fflate";
import { parse } from "lossless-json";
import type { z } from "zod";
import { FeedError } from "../feed/error.ts";
import type { Reply } from "../feed/feed.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The body as text, without a byte order mark.
 * @throws FeedError when it is not UTF-8
 */
export const textOf = (reply: Pick<Reply, "bytes">): string => {
  try {
    return UTF8.decode(reply.bytes);
  } catch (cause) {
    throw new FeedError("payload", "the body is not UTF-8", { cause });
  }
};

/**
 * Validates a value; unknown fields are ignored.
 * @throws FeedError that names the first invalid field, never its value
 */
export const shaped = <S extends z.ZodType>(value: unknown, schema: S): z.output<S> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new FeedError("payload", `unexpected ${issue?.path.join(".") || "body"}: ${issue?.message ?? "invalid"}`);
};

/**
 * Parses and validates JSON.
 * @throws FeedError that names the first invalid field, never its value
 */
export const readJson = <S extends z.ZodType>(text: string, schema: S): z.output<S> => {
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw new FeedError("payload", "the body is not JSON", { cause });
  }
  return shaped(value, schema);
};

const PARSER = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseAttributeValue: false,
  parseTagValue: false,
  removeNSPrefix: true,
  processEntities: false,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/**
 * Parses XML; every element is an array, so that one and many look alike.
 * @throws FeedError when it is not well-formed, declares a document type, or is nested too deeply
 */
export const readXml = (text: string): unknown => {
  if (/<!DOCTYPE/i.test(text)) throw new FeedError("payload", "the body declares a document type");
  if (XMLValidator.validate(text) !== true) throw new FeedError("payload", "the body is not well-formed XML");
  try {
    return PARSER.parse(text);
  } catch (cause) {
    throw new FeedError("payload", "the body is not supported XML", { cause });
  }
};

const STORED = 0;
const DEFLATED = 8;

/** The directory entry of the archive's only file; nothing is unpacked, and reading stops at a second entry. */
const onlyEntry = (bytes: Uint8Array, ending: string): UnzipFileInfo => {
  const others = new FeedError("payload", `the archive does not hold exactly one ${ending}`);
  let only: UnzipFileInfo | undefined;
  unzipSync(bytes, {
    filter: (entry) => {
      if (only) throw others;
      only = entry;
      return false;
    },
  });
  if (!only?.name.endsWith(ending)) throw others;
  return only;
};

/** The entry's stored bytes, after a header of 30 bytes, its name and extra fields. */
const packedBytes = (bytes: Uint8Array, size: number): Uint8Array => {
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (head.getUint32(0, true) !== 0x04034b50) throw new Error("the archive does not begin with its entry");
  const start = 30 + head.getUint16(26, true) + head.getUint16(28, true);
  return bytes.subarray(start, start + size);
};

const isTooLong = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";

/**
 * Unpacks an archive that contains one file.
 * @param ending the file's extension
 * @param maxBytes limit of the unpacked size, whatever the archive states
 * @throws FeedError when it is not an archive, contains another file or more than one, or is too large
 */
export const unzipOnly = (bytes: Uint8Array, ending: string, maxBytes: number): Uint8Array => {
  const tooLarge = () => new FeedError("too-large", `the archive unpacks to more than ${maxBytes} bytes`);
  try {
    const { size, originalSize, compression } = onlyEntry(bytes, ending);
    if (originalSize > maxBytes) throw tooLarge();
    const packed = packedBytes(bytes, size);
    if (compression === STORED) return packed;
    if (compression !== DEFLATED) throw new Error("the file is packed in an unknown way");
    return inflateRawSync(packed, { maxOutputLength: maxBytes });
  } catch (cause) {
    if (cause instanceof FeedError) throw cause;
    if (isTooLong(cause)) throw tooLarge();
    throw new FeedError("payload", "the body is not a ZIP archive", { cause });
  }
};
