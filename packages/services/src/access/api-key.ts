/** The format of an API key: prefix, 190 bits of base62, and a checksum that rejects typos before any look-up. */
import { hash } from "node:crypto";
import type { Random } from "@assay/ports";

const PREFIX = "assay_live_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = /^assay_live_[0-9A-Za-z]{38}$/;

export const KEY_LENGTH = PREFIX.length + SECRET_LENGTH + CHECKSUM_LENGTH;

/** How many characters of a key are shown in listings. */
export const KEY_PREFIX_LENGTH = 16;

const checksum = (secret: string): string => {
  let value = BigInt(`0x${hash("sha256", `${PREFIX}${secret}`).slice(0, 16)}`);
  let text = "";
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    text += ALPHABET[Number(value % 62n)];
    value /= 62n;
  }
  return text;
};

/** Makes a new key: `assay_live_` + 32 random base62 characters + 6 of checksum. */
export const generateKey = (random: Random): string => {
  let secret = "";
  for (let position = 0; position < SECRET_LENGTH; position += 1) secret += ALPHABET[random.int(62)];
  return `${PREFIX}${secret}${checksum(secret)}`;
};

/** Whether a text can be a key at all: format and checksum. */
export const isKeyForm = (text: string): boolean => {
  if (!FORM.test(text)) return false;
  const secret = text.slice(PREFIX.length, PREFIX.length + SECRET_LENGTH);
  return checksum(secret) === text.slice(PREFIX.length + SECRET_LENGTH);
};

/** What is stored of a key: its SHA-256 in hex. The key has 190 bits, so no salt or stretching is needed. */
export const hashKey = (key: string): string => hash("sha256", key);
