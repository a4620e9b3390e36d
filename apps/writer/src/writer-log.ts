/** Where the writer tells what happens. */
import type { FeedEvent } from "@assay/feeds";

/** The writer's log. */
export interface WriterLog {
  info(message: string, fields?: Record<string, unknown>): void;
  fault(error: unknown, message: string): void;
  feed(event: FeedEvent): void;
}

/** A logger as pino has it. */
interface Logger {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  debug(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** The writer's log over pino. */
export const writerLog = (logger: Logger): WriterLog => ({
  info: (message, fields = {}) => logger.info(fields, message),
  fault: (error, message) => logger.error({ err: error }, message),
  feed: (event) => {
    if (event.kind === "failed") logger.warn({ feed: event.feed, err: event.error, partial: event.partial }, "a feed failed");
    else if (event.kind === "refused")
      logger.debug({ feed: event.feed, rule: event.rule, detail: event.detail }, "a reading was refused");
    else logger.error({ feed: event.feed, err: event.error }, "readings could not be taken in");
  },
});
