/** An archive as Parquet: instants in UTC, figures as DECIMAL, one row group per batch. */
import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { type ArchiveBatch, PRICE_SCALE, unscaled, VOLUME_SCALE } from "./archive-batch.ts";
import { ARCHIVE_COLUMNS } from "./csv-archive.ts";

const price = (name: string): SchemaElement => ({
  name,
  type: "INT64",
  converted_type: "DECIMAL",
  logical_type: { type: "DECIMAL", precision: 18, scale: PRICE_SCALE },
  precision: 18,
  scale: PRICE_SCALE,
  repetition_type: "REQUIRED",
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
  price("open"),
  price("high"),
  price("low"),
  price("close"),
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

/** Builds a Parquet archive. */
export class ParquetArchive {
  readonly #bytes = new ByteWriter();
  readonly #writer = new ParquetWriter({ writer: this.#bytes, schema: SCHEMA, createdBy: "assay" });

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

  /** The whole file. */
  finish(): Uint8Array {
    this.#writer.finish();
    return this.#bytes.getBytes();
  }
}
