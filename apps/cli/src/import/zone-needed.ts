/** The error asking for a zone when neither the file nor its publisher states one. */
import { ImportError } from "./import-error.ts";
import type { Layout } from "./layout.ts";

const BROKERS =
  "America/New_York+07:00 for most gold brokers, whose day ends at 17:00 in New York; Europe/Athens or +02:00 for others";

/** The error, with the usual zones of the format. */
export const zoneNeeded = (file: string, { form }: Layout): ImportError => {
  const usual = form.format === "stooq" ? "Europe/Warsaw, or UTC" : `${BROKERS}; UTC for what a program exported in UTC`;
  return new ImportError(
    `${file}: its times have no time zone, and the ${form.format} format does not define one; pass --timezone: ${usual}`,
  );
};
