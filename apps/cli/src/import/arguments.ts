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
    throw new ImportError("a delimiter is one character that no price or time has in it, or the word tab");
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
      : "times need --timezone, days do not";
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

Files are CSV of one of these forms, as they are or compressed with gzip (⇥ is a tab). They are recognised by their header,
in any case and order; other columns are passed over. Delimiters may be comma, semicolon, tab or bar:
${formsHelp()}

Every row of every file is checked before anything is written: plain decimals above zero, low and high around open and
close, prices that the market had at the time, each bar once and at a whole interval in UTC, and bars as far apart as
--interval says. Bad rows are named by file, line and field, the first 20 of them; nothing of that file is written unless
--on-bad-row skip passes over them (text that is no CSV, and more bad rows than good ones, are refused all the same).
Corrections replace stored bars. A file that was imported before is skipped; an import that was cut off is finished by
starting it again. Daily bars keep the date they are written with. Spot series keep no volume.

--map names the header's columns: ${COLUMNS.join(", ")}; a time without a date is the whole instant. Columns that are not
mapped are found by their usual names. --scale multiplies prices exactly: 0.01 for cents, 0.00045359237 for copper per tonne.
--replace first removes what the series holds from a file's first bar to its last, and what an earlier import of the same
file wrote elsewhere, a day at a time with the new bars: so a wrong --timezone is put right by importing once more.
MetaTrader's times are the broker's: most gold brokers keep America/New_York+07:00, others Europe/Athens or UTC.

Settings: DATA_DIR (the embedded database), or DATABASE_URL; REDIS_URL, to tell running servers.`;

/**
 * Parses the command line. An invalid one exits with 1 and prints one line to stderr.
 * @param argv the arguments after the command's name
 */
export const readArguments = (argv: readonly string[]): ImportRequest => {
  const command = new Command("assay import")
    .description("Loads historical bars from CSV files into a series, and builds the coarser bars from them.")
    .requiredOption(
      "--symbol <symbol>",
      `series: ${DAILY_SYMBOLS.join(", ")}, or an alias such as XAU/USD`,
      argument(readImportSymbol),
    )
    .addOption(new Option("--interval <interval>", "the files' bars").choices(INTERVALS).makeOptionMandatory())
    .addOption(new Option("--format <format>", "recognised from each file when left out").choices(IMPORT_FORMATS))
    .option("--map <columns>", "columns by the header's names: time=Date,open=Open,…", argument(readColumnMap))
    .option("--delimiter <character>", "recognised from each file when left out; tab for a tab", argument(delimiter))
    .option("--timezone <zone>", "zone of times that state none: an IANA name or an offset such as +02:00", argument(zone))
    .option("--scale <factor>", "factor for prices, exact: 0.01 for cents", argument(readScale))
    .option("--drop-empty-volume", "skip rows without a volume, or with a volume of 0")
    .addOption(
      new Option("--on-bad-row <action>", "stop: a bad row refuses its file; skip: it is passed over")
        .choices(["stop", "skip"])
        .default("stop"),
    )
    .addOption(
      new Option("--last <state>", "forming: each file's newest bar was not complete when the file was made")
        .choices(["closed", "forming"])
        .default("closed"),
    )
    .option("--no-aggregate", "build no coarser bars")
    .option("--replace", "first remove the series' bars in each file's time range; implies --force")
    .option("--force", "import files again even if they were imported before")
    .argument("<file...>", "CSV files, .gz among them")
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
