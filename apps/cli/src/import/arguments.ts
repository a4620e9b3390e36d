/** The command line of `assay import`, and its help. */
import { type DecimalText, INTERVALS, type Interval } from "@assay/contract";
import { DAILY_SYMBOLS, type DailySymbol } from "@assay/pricing";
import { Command, InvalidArgumentError, Option } from "commander";
import { type ColumnMap, readColumnMap } from "./column-map.ts";
import { COLUMNS, type Delimiter, IMPORT_FORMATS, type ImportFormat } from "./form.ts";
import { FORMS } from "./forms.ts";
import { ImportError } from "./import-error.ts";
import type { ImportRequest } from "./run-import.ts";
import { readScale } from "./scale.ts";
import { readImportSymbol } from "./symbols.ts";
import { readZone, type Zone } from "./zone.ts";

interface Flags {
  readonly symbol: DailySymbol;
  readonly interval: Interval;
  readonly format?: ImportFormat;
  readonly map?: ColumnMap;
  readonly delimiter?: Delimiter;
  readonly timezone?: Zone;
  readonly scale?: DecimalText;
  readonly dropEmptyVolume?: boolean;
  readonly onBadRow: "skip" | "stop";
  readonly last: "closed" | "forming";
  readonly aggregate: boolean;
  readonly replace?: boolean;
  readonly force?: boolean;
}

/** commander formats its own errors as one line with the option's name. */
const argument =
  <T>(read: (text: string) => T) =>
  (text: string): T => {
    try {
      return read(text);
    } catch (error) {
      throw error instanceof ImportError ? new InvalidArgumentError(error.message) : error;
    }
  };

const zone = (text: string): Zone => {
  const known = readZone(text);
  if (!known) throw new ImportError("a zone is an IANA name, an offset such as +02:00, or both: America/New_York+07:00");
  return known;
};

const delimiter = (text: string): Delimiter => {
  const character = text === "tab" || text === "\\t" ? "\t" : text;
  if (!/^[^\w"'.\-+:\r\n]$/.test(character)) {
    throw new ImportError("a delimiter is one character that does not occur in prices or times, or the word tab");
  }
  return character;
};

const formsHelp = (): string =>
  IMPORT_FORMATS.map((format) => {
    const forms = FORMS.filter((form) => form.format === format);
    const examples = [...new Set(forms.map(({ example }) => example))].map((example) =>
      example.replace(/^/gm, "      ").replaceAll("\t", "⇥"),
    );
    const isZoned = forms.every(({ times }) => times.every((each) => each.isZoned));
    const own = forms[0]?.zone
      ? `times are ${forms[0].zone} unless --timezone says otherwise`
      : "times need --timezone, dates do not";
    return `  ${format}: ${isZoned ? "times state their zone" : own}\n${examples.join("\n")}`;
  }).join("\n");

const HELP = `
Examples:
  assay import --symbol XAU/USD --interval 1d xauusd_d.csv
  assay import --symbol XAU/USD --interval 1m --timezone America/New_York+07:00 XAUUSD_M1.csv.gz
  assay import --symbol HG --interval 1d --scale 0.01 copper-in-cents.csv
  assay import --symbol SI --interval 1h --map time=Opened,close=Last --delimiter tab --timezone UTC silver.tsv
  assay import --symbol GC --interval 5m --on-bad-row skip --drop-empty-volume gold.csv
  assay import --symbol XAU/USD --interval 1m --timezone Europe/Athens --replace XAUUSD_M1.csv.gz

Files are CSV in one of these formats, plain or gzipped (⇥ is a tab). The format is detected from the header, whatever its
case and column order; other columns are ignored. The delimiter may be a comma, semicolon, tab or vertical bar:
${formsHelp()}

Every row of every file is checked before anything is written: prices are plain decimals above zero and plausible for the
market at that time, the low is the lowest and the high the highest, each bar appears once and starts at a whole interval
in UTC, and bars are as far apart as --interval says. The first 20 bad rows are reported by file, line and field, and
nothing of that file is written unless --on-bad-row skip skips them (files that are not CSV, or have more bad rows than
good ones, are always refused). Bars of the file overwrite stored bars. A file that was imported before is skipped; to finish
an interrupted import, run it again. Daily bars keep the date they have in the file. Spot series have no volume.

--map assigns columns of the header to: ${COLUMNS.join(", ")}; if only time is mapped, it holds the date as well. Columns
that are not mapped are found by their usual names. --scale multiplies prices exactly: 0.01 for cents, 0.00045359237 for
prices per tonne. --replace first removes the series' bars from the file's first bar to its last, and whatever an earlier
import of the same file wrote outside that range, one day at a time as the new bars are written. To correct a wrong
--timezone, import the file again with --replace.
MetaTrader's times are the broker's: most gold brokers use America/New_York+07:00, others Europe/Athens or UTC.

Settings: DATA_DIR (the embedded database) or DATABASE_URL; REDIS_URL, to notify running servers.`;

/**
 * Parses the command line. An invalid one exits with 1 and prints one line to stderr.
 * @param argv the arguments after the command's name
 */
export const readArguments = (argv: readonly string[]): ImportRequest => {
  const command = new Command("assay import")
    .description("Load historical bars from CSV files into a series, and build the longer intervals from them.")
    .requiredOption(
      "--symbol <symbol>",
      `series: ${DAILY_SYMBOLS.join(", ")}, or an alias such as XAU/USD`,
      argument(readImportSymbol),
    )
    .addOption(
      new Option("--interval <interval>", "the interval of the bars in the files").choices(INTERVALS).makeOptionMandatory(),
    )
    .addOption(new Option("--format <format>", "detected from each file by default").choices(IMPORT_FORMATS))
    .option("--map <columns>", "columns by their names in the header: time=Date,open=Open,…", argument(readColumnMap))
    .option("--delimiter <character>", "detected from each file by default; tab for a tab", argument(delimiter))
    .option("--timezone <zone>", "time zone of times that state none: an IANA name or an offset such as +02:00", argument(zone))
    .option("--scale <factor>", "multiply prices by this factor, exactly: 0.01 for cents", argument(readScale))
    .option("--drop-empty-volume", "skip rows without a volume, or with a volume of 0")
    .addOption(
      new Option("--on-bad-row <action>", "stop: do not import a file with bad rows; skip: skip those rows")
        .choices(["stop", "skip"])
        .default("stop"),
    )
    .addOption(
      new Option("--last <state>", "forming: each file's newest bar was not complete when the file was made")
        .choices(["closed", "forming"])
        .default("closed"),
    )
    .option("--no-aggregate", "do not build longer intervals")
    .option("--replace", "first remove the series' bars in each file's time range; implies --force")
    .option("--force", "import files again even if they were imported before")
    .argument("<file...>", "CSV files, plain or gzipped")
    .addHelpText("after", HELP)
    .parse(argv, { from: "user" });
  const flags = command.opts<Flags>();
  if (flags.map && flags.format && flags.format !== "csv")
    command.error("error: --map is for tables of the csv format; leave --format out");
  return {
    symbol: flags.symbol,
    interval: flags.interval,
    files: command.args,
    format: flags.format,
    map: flags.map,
    delimiter: flags.delimiter,
    zone: flags.timezone,
    scale: flags.scale,
    isDroppingEmptyVolume: flags.dropEmptyVolume ?? false,
    isSkippingBadRows: flags.onBadRow === "skip",
    isLastForming: flags.last === "forming",
    isAggregating: flags.aggregate,
    isReplacing: flags.replace ?? false,
    isForced: (flags.force ?? false) || (flags.replace ?? false),
  };
};
