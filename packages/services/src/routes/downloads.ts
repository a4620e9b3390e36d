/** GET /v1/download: a link to a year of bars, valid for one hour. */
import { type ArchiveName, ArchivesFailedError, ArchivesUnreachableError } from "@assay/archives";
import { type AssayContract, FIRST_ARCHIVE_YEAR, type Verb } from "@assay/contract";
import { requireSeries, requireYear } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { refuseParameter } from "../input.ts";

/** A link to an archive; null when there is none. */
const linkTo = async (archives: ServiceDeps["archives"], name: ArchiveName, nowMs: number): Promise<string | null> =>
  (await archives.has(name)) ? archives.link(name, nowMs) : null;

/** Redirects to an existing archive. A year before 1996 is a year only where bars of it were imported. */
export const linkDownloads =
  ({ archives, log }: Pick<ServiceDeps, "archives" | "log">): Verb<AssayContract["downloads"]["link"], VerbContext> =>
  async ({ symbol: text, year, interval, fmt }, { caller, nowMs, fail, requestId }) => {
    const runningYear = new Date(nowMs).getUTCFullYear();
    const refuseYear = (): never => refuseParameter(fail, "year", `must be a year from ${FIRST_ARCHIVE_YEAR} to ${runningYear}`);
    if (year > runningYear) refuseYear();
    const symbol = requireSeries(text, interval, caller, fail);
    const isUsual = year >= FIRST_ARCHIVE_YEAR;
    if (isUsual) requireYear(caller, year, nowMs, fail);
    const name: ArchiveName = { symbol, interval, year, format: fmt };
    const link = await linkTo(archives, name, nowMs).catch((error: unknown) => {
      if (!(error instanceof ArchivesUnreachableError || error instanceof ArchivesFailedError)) throw error;
      log.error({ err: error, requestId }, "failed to look up an archive");
      return fail(error instanceof ArchivesUnreachableError ? "storage_error" : "storage_unavailable");
    });
    if (link !== null) {
      if (!isUsual) requireYear(caller, year, nowMs, fail);
      return { location: link };
    }
    return isUsual ? fail("not_found", { message: "There is no archive of this series, interval and year." }) : refuseYear();
  };
