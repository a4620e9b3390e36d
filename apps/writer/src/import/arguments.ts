/** The command line of `npm run import`, and its help. */
import { INTERVALS, type Interval } from "@assay/contract";
import type { DailySymbol } from "@assay/pricing";
import { Command, InvalidArgumentError, Option } from "commander";
import { IMPORT_FORMATS, type ImportFormat } from "./form.ts";
import { FORMS } from "./forms.ts";
import { ImportError } from "./import-error.ts";
import type { ImportRequest } from "./run-import.ts";
import { IMPORT_SYMBOLS, readImportSymbol } from "./symbols.ts";
import { readZone, type Zone } from "./zone.ts";

interface Flags {
  readonly symbol: DailySymbol;
  readonly interval: Interval;
  readonly format?: ImportFormat;
  readonly timezone?: Zone;
  readonly last: "closed" | "forming";
  readonly aggregate: boolean;
  readonly force?: boolean;
}

/** commander tells its own errors as one line with the option's name. */
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

const formsHelp = (): string =>
  IMPORT_FORMATS.map((format) => {
    const forms = FORMS.filter((form) => form.format === format);
    const examples = [...new Set(forms.map(({ example }) => example))].map((example) =>
      example.replace(/^/gm, "      ").replaceAll("\t", "⇥"),
    );
    const zones = forms[0]?.zone ? `times are ${forms[0].zone} unless --timezone says otherwise` : "times state their zone";
    return `  ${format}: ${zones}\n${examples.join("\n")}`;
  }).join("\n");

const HELP = `
Files are CSV of one of these forms, as they are or compressed with gzip (⇥ is a tab):
${formsHelp()}

Every row of every file is checked before anything is written: plain decimals above zero, low and high around open and
close, each bar once and at a whole interval in UTC. The first row that breaks a rule is named by file, line and field.
Corrections replace stored bars. A file that was imported before is skipped; an import that was cut off is finished by
starting it again. Daily bars keep the date they are written with. Spot series keep no volume.
MetaTrader's times are the broker's: most gold brokers keep America/New_York+07:00.

Settings: DATA_DIR (the embedded database), or DATABASE_URL; REDIS_URL, to tell running servers.`;

/**
 * Reads the command line. A wrong one ends the process with exit 1 and one line on stderr.
 * @param argv as in `process.argv`
 */
export const readArguments = (argv: readonly string[]): ImportRequest => {
  const command = new Command("npm run import --")
    .description("Loads historical bars from CSV files into a series, and builds the coarser bars they come to.")
    .requiredOption(
      "--symbol <symbol>",
      `series: ${IMPORT_SYMBOLS.join(", ")}, or an alias such as XAU/USD`,
      argument(readImportSymbol),
    )
    .addOption(new Option("--interval <interval>", "the files' bars").choices(INTERVALS).makeOptionMandatory())
    .addOption(new Option("--format <format>", "recognised from each file when left out").choices(IMPORT_FORMATS))
    .option("--timezone <zone>", "zone of times that state none: an IANA name or an offset such as +02:00", argument(zone))
    .addOption(
      new Option("--last <state>", "forming: each file's newest bar was not complete when the file was made")
        .choices(["closed", "forming"])
        .default("closed"),
    )
    .option("--no-aggregate", "build no coarser bars")
    .option("--force", "import files again that were imported before")
    .argument("<file...>", "CSV files, .gz among them")
    .addHelpText("after", HELP)
    .parse(argv);
  const { symbol, interval, format, timezone, last, aggregate, force } = command.opts<Flags>();
  return {
    symbol,
    interval,
    files: command.args,
    format,
    zone: timezone,
    isLastForming: last === "forming",
    isAggregating: aggregate,
    isForced: force ?? false,
  };
};
