/** The command line of `assay import`: what may be asked of it, and what of that is refused. */
import { catalogue, spotSymbol } from "@assay/catalogue";
import { type DecimalText, INTERVALS, type Interval, MAX_FIELDS, MAX_LINE } from "@assay/contract";
import { DAILY_SYMBOLS, type DailySymbol, readBarSymbol } from "@assay/pricing";
import { Command, InvalidArgumentError, Option } from "commander";
import { type Output, printingTo } from "../output.ts";
import { ImportError } from "./import-error.ts";
import { DECIMAL_MARKS, type DecimalMark, readScale } from "./read/figures.ts";
import { COLUMNS, FORMS, IMPORT_FORMATS, type ImportFormat } from "./read/formats.ts";
import { type ColumnMap, readColumnMap } from "./read/layout.ts";
import { DATE_ORDERS, type DateOrder } from "./read/times.ts";
import { readZone, type Zone } from "./read/zone.ts";
import type { ImportRequest } from "./run-import.ts";

interface Flags {
  readonly symbol: DailySymbol;
  readonly interval: Interval;
  readonly format?: ImportFormat;
  readonly map?: ColumnMap;
  readonly dates?: DateOrder;
  readonly decimal?: DecimalMark;
  readonly timezone?: Zone;
  readonly scale?: DecimalText;
  readonly source?: string;
  readonly note?: string;
  readonly closeOnly?: boolean;
  readonly dropEmptyVolume?: boolean;
  readonly onBadRow: "skip" | "stop";
  readonly aggregate: boolean;
  readonly replace?: boolean;
  readonly force?: boolean;
}

/** commander formats its own errors as one line with the option's name. */
const argument =
  <T>(read: (text: string, before?: T) => T) =>
  (text: string, before?: T): T => {
    try {
      return read(text, before);
    } catch (error) {
      throw error instanceof ImportError ? new InvalidArgumentError(error.message) : error;
    }
  };

/** Series kept for ratios only, as daily closes, by every name of theirs in capitals. */
const RATIO_SERIES: ReadonlyMap<string, DailySymbol> = new Map(
  catalogue.dailyMetals.flatMap(({ code, name, aliases = [] }) =>
    [code, `${code}-USD`, spotSymbol(code), name, ...aliases].map((each) => [each.toUpperCase(), spotSymbol(code)] as const),
  ),
);

/**
 * Parses the name of a series, in any case, with dashes or slashes.
 * @throws ImportError when there is no such series
 */
const readImportSymbol = (text: string): DailySymbol => {
  const symbol = readBarSymbol(text) ?? RATIO_SERIES.get(text.toUpperCase().replaceAll("/", "-"));
  if (!symbol) {
    const known = `must be one of ${DAILY_SYMBOLS.join(", ")}`;
    throw new ImportError(
      `unknown symbol ${JSON.stringify(text)}; ${known}, or a series of the service's CATALOG, set here as well`,
    );
  }
  return symbol;
};

const zone = (text: string): Zone => {
  const known = readZone(text);
  if (!known) throw new ImportError("a zone is an IANA name, an offset such as +02:00, or both: America/New_York+07:00");
  return known;
};

const SOURCE = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/** As long as a line of a log. */
const MAX_NOTE = 200;

const readNote = (text: string): string => {
  if (text.trim() !== "" && text.length <= MAX_NOTE && !/\p{C}/u.test(text)) return text;
  throw new ImportError(`a note is one line of up to ${MAX_NOTE} characters`);
};

/** Callers see it, so it is the operator's word and never a file's name. */
const sourceName = (text: string): string => {
  if (SOURCE.test(text)) return text;
  throw new ImportError("a source is up to 40 lower-case letters, digits, dots, dashes and underscores, such as lbma");
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
  assay import --symbol SI --interval 1h --map time=Opened,close=Last --timezone UTC silver.tsv
  assay import --symbol GC --interval 5m --on-bad-row skip --drop-empty-volume gold.csv
  assay import --symbol XAU/USD --interval 1d --close-only --map close="USD PM" lbma.csv
  assay import --symbol GC --interval 1d --decimal comma gold-de.csv
  assay import --symbol GC --interval 1d --map close=Price --dates mdy gold-us.csv
  assay import --symbol XAU/USD --interval 1m --timezone Europe/Athens --replace XAUUSD_M1.csv.gz

Files are CSV in one of these formats, plain or gzipped (⇥ is a tab). The format is detected from the header, whatever its
case and column order; other columns are ignored. The delimiter may be a comma, semicolon, tab or vertical bar:
${formsHelp()}

Text is UTF-8, or UTF-16 of either byte order with its mark. A line has at most ${MAX_LINE} characters, a row ${MAX_FIELDS} fields.

Every row of every file is checked before anything is written: prices are decimals above zero and plausible for the
market at that time, the low is the lowest and the high the highest, each bar appears once and starts at a whole interval
in UTC, and bars are as far apart as --interval says. The first 20 bad rows are reported by file, line and field, and
nothing of that file is written unless --on-bad-row skip skips them (files that are not CSV, or have more bad rows than
good ones, are always refused). Bars of the file overwrite stored bars. A file that was imported before is skipped; to finish
an interrupted import, run it again. Daily bars keep the date they have in the file. Spot series have no volume.

--map assigns columns of the header to: ${COLUMNS.join(", ")}; if only time is mapped, it holds the date as well. Columns
that are not mapped are found by their usual names; --map may be repeated. --close-only reads files of closes alone into bars
without open, high and low, and leaves out days without a close. --decimal comma reads 1.552,20; without it, 1,552.20 is read
and 1,552 is not, as it may be either. --dates mdy or dmy is needed for dates such as 01/03/2020. --scale multiplies prices exactly: 0.01 for cents, 0.00045359237 for
prices per tonne. --replace first removes the series' bars from the file's first bar to its last, and whatever an earlier
import of the same file wrote outside that range, one day at a time as the new bars are written. To correct a wrong
--timezone, import the file again with --replace.
MetaTrader's times are the broker's: most gold brokers use America/New_York+07:00, others Europe/Athens or UTC.

Settings: DATA_DIR (the embedded database) or DATABASE_URL; REDIS_URL, to notify running servers. A running \`assay start\` on the
same DATA_DIR is sent the files, and imports them itself.`;

/**
 * Parses the command line.
 * @param argv the arguments after the command's name
 * @throws CommanderError when it is invalid or asks for help, after what is wrong, or the help, was printed
 */
export const readArguments = (argv: readonly string[], output: Output): ImportRequest => {
  const command = printingTo(new Command("assay import"), output)
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
    .option(
      "--map <columns>",
      "columns by their names in the header: time=Date,open=Open,…; may be repeated",
      argument(readColumnMap),
    )
    .addOption(new Option("--dates <order>", "dates such as 01/03/2020 begin with the month or the day").choices(DATE_ORDERS))
    .addOption(new Option("--decimal <mark>", "what separates decimals; a point by default").choices(DECIMAL_MARKS))
    .option("--timezone <zone>", "time zone of times that state none: an IANA name or an offset such as +02:00", argument(zone))
    .option("--scale <factor>", "multiply prices by this factor, exactly: 0.01 for cents", argument(readScale))
    .option(
      "--source <name>",
      "who the bars are from, as callers see it in source_id; the format by default",
      argument(sourceName),
    )
    .option("--note <text>", "why the bars are imported, as /v1/corrections names it: one line", argument(readNote))
    .option("--close-only", "the files have closes alone; open, high and low stay empty")
    .option("--drop-empty-volume", "skip rows without a volume, or with a volume of 0")
    .addOption(
      new Option("--on-bad-row <action>", "stop: do not import a file with bad rows; skip: skip those rows")
        .choices(["stop", "skip"])
        .default("stop"),
    )
    .option("--no-aggregate", "do not build longer intervals")
    .option("--replace", "first remove the series' bars in each file's time range; implies --force")
    .option("--force", "import files again even if they were imported before")
    .argument("<file...>", "CSV files, plain or gzipped")
    .addHelpText("after", HELP)
    .parse(argv, { from: "user" });
  const {
    timezone,
    source,
    closeOnly,
    dropEmptyVolume,
    onBadRow,
    aggregate,
    replace = false,
    force = false,
    ...others
  } = command.opts<Flags>();
  const forTables = others.map ? "--map" : others.dates ? "--dates" : closeOnly ? "--close-only" : undefined;
  if (forTables && others.format && others.format !== "csv")
    command.error(`error: ${forTables} is for tables of the csv format; leave --format out`);
  return {
    ...others,
    files: command.args,
    zone: timezone,
    sourceName: source,
    isCloseOnly: closeOnly,
    isDroppingEmptyVolume: dropEmptyVolume,
    isSkippingBadRows: onBadRow === "skip",
    isAggregating: aggregate,
    isReplacing: replace,
    isForced: force || replace,
  };
};
