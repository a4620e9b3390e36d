/** An archive's bytes, from batches of bars as the store provides them, already rounded as on the wire: CSV and Parquet. */
import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";

/** Decimals of prices in Parquet: the maximum on the wire. */
export const PRICE_SCALE = 6;
/** Decimals of volumes in Parquet. */
export const VOLUME_SCALE = 9;

export type PriceColumn = BigInt64Array | (bigint | null)[];

/** Bars in time order. */
export interface ArchiveBatch {
  readonly rows: number;
  /** CSV rows, each with its line end. */
  readonly csv: Uint8Array;
  readonly startsMs: BigInt64Array;
  /** Prices in millionths; null for bars of which only the close is known. */
  readonly open: PriceColumn;
  readonly high: PriceColumn;
  readonly low: PriceColumn;
  readonly close: BigInt64Array;
  /** Decimal text, or null where none was traded or reported. */
  readonly volume: readonly (string | null)[];
}

/** Converts a decimal to units of its last place: "1.5" at scale 6 is 1 500 000. Further digits round half up. */
export const unscaled = (text: string, scale: number): bigint => {
  const [whole = "0", places = ""] = text.split(".");
  const kept = BigInt(`${whole}${places.slice(0, scale).padEnd(scale, "0")}`);
  return (places[scale] ?? "0") >= "5" ? kept + 1n : kept;
};

/** Column names, in order. */
export const ARCHIVE_COLUMNS = ["bar_start", "open", "high", "low", "close", "volume", "is_closed"] as const;

/** Builds a CSV archive: a header, then one row per bar. */
export class CsvArchive {
  readonly #parts: Uint8Array[] = [Buffer.from(`${ARCHIVE_COLUMNS.join(",")}\n`)];

  /** Appends bars. */
  add({ csv }: ArchiveBatch): void {
    this.#parts.push(csv);
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

const price = (name: string, repetition_type: "OPTIONAL" | "REQUIRED"): SchemaElement => ({
  name,
  type: "INT64",
  converted_type: "DECIMAL",
  logical_type: { type: "DECIMAL", precision: 18, scale: PRICE_SCALE },
  precision: 18,
  scale: PRICE_SCALE,
  repetition_type,
});

const SCHEMA: SchemaElement[] = [
  { name: "bars", num_children: ARCHIVE_COLUMNS.length },
  {
    name: "bar_start",
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    repetition_type: "REQUIRED",
  },
  price("open", "OPTIONAL"),
  price("high", "OPTIONAL"),
  price("low", "OPTIONAL"),
  price("close", "REQUIRED"),
  {
    name: "volume",
    type: "FIXED_LEN_BYTE_ARRAY",
    type_length: 16,
    converted_type: "DECIMAL",
    logical_type: { type: "DECIMAL", precision: 38, scale: VOLUME_SCALE },
    precision: 38,
    scale: VOLUME_SCALE,
    repetition_type: "OPTIONAL",
  },
  { name: "is_closed", type: "BOOLEAN", repetition_type: "REQUIRED" },
];

/** The key of a Parquet file's metadata that holds the revision of the store its bars are a snapshot of. */
export const REVISION_KEY = "assay.revision";

/** Builds a Parquet archive: instants in UTC, figures as DECIMAL, one row group per batch. */
export class ParquetArchive {
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;

  /** @param revision the revision of the store that its bars are a snapshot of */
  constructor(revision?: number) {
    const kvMetadata = revision === undefined ? [] : [{ key: REVISION_KEY, value: String(revision) }];
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema: SCHEMA, createdBy: "assay", kvMetadata });
  }

  /** Appends bars as a row group. */
  add(batch: ArchiveBatch): void {
    const { rows, startsMs, open, high, low, close, volume } = batch;
    if (rows === 0) return;
    this.#writer.write({
      rowGroupSize: rows,
      columnData: [
        { name: "bar_start", data: startsMs, encoding: "DELTA_BINARY_PACKED" },
        { name: "open", data: open, encoding: "DELTA_BINARY_PACKED" },
        { name: "high", data: high, encoding: "DELTA_BINARY_PACKED" },
        { name: "low", data: low, encoding: "DELTA_BINARY_PACKED" },
        { name: "close", data: close, encoding: "DELTA_BINARY_PACKED" },
        {
          name: "volume",
          data: volume.map((text) => (text === null ? null : unscaled(text, VOLUME_SCALE))),
          encoding: "PLAIN",
          statistics: false,
        },
        { name: "is_closed", data: new Array<boolean>(rows).fill(true) },
      ],
    });
  }

  finish(): Uint8Array {
    this.#writer.finish();
    return this.#bytes.getBytes();
  }
}
