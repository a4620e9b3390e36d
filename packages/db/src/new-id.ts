/** Ids of rows that are made here, by kind. */
import { randomBytes } from "node:crypto";
import { ID_PREFIXES } from "@assay/contract";

/** Enough that nobody meets another's by chance: 128 bits. */
const ID_BYTES = 16;

/** A new id of a kind. */
export const newId = (kind: keyof typeof ID_PREFIXES): string =>
  `${ID_PREFIXES[kind]}${randomBytes(ID_BYTES).toString("base64url")}`;
