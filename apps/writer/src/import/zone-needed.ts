/** What is asked of the operator when neither a file nor its publisher says which zone its times are in. */
import { ImportError } from "./import-error.ts";
import type { Layout } from "./layout.ts";

const BROKERS =
  "America/New_York+07:00 for most gold brokers, whose day ends at 17:00 in New York; Europe/Athens or +02:00 for others";

/** The refusal, with the usual zones of the format. */
export const zoneNeeded = (file: string, { form }: Layout): ImportError => {
  const usual = form.format === "stooq" ? "Europe/Warsaw, or UTC" : `${BROKERS}; UTC for what a program exported in UTC`;
  return new ImportError(
    `${file}: its times state no zone, and the ${form.format} format has none of its own; name it with --timezone: ${usual}`,
  );
};
