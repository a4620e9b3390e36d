/** Ids of rows that are made here, by kind. */
import { ID_PREFIXES } from "@assay/contract";
import type { Random } from "@assay/ports";

/** Enough that nobody meets another's by chance: 128 bits. */
const ID_BYTES = 16;

export const newId = (kind: keyof typeof ID_PREFIXES, random: Random): string =>
  `${ID_PREFIXES[kind]}${random.bytes(ID_BYTES).toString("base64url")}`;
