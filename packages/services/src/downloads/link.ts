/** GET /v1/download: a link to a year of bars, valid for one hour. */
import { type ArchiveName, ArchivesFailedError, ArchivesUnreachableError } from "@assay/archives";
import { type AssayContract, FIRST_ARCHIVE_YEAR, type Verb } from "@assay/contract";
import { requireYear } from "../access/gate.ts";
import { refuseParameter, requireSeries } from "../bars/series.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";

/** Redirects to an existing archive. */
export const linkDownloads =
  ({ archives, log }: Pick<ServiceDeps, "archives" | "log">): Verb<AssayContract["downloads"]["link"], VerbContext> =>
  async ({ symbol: text, year, interval, fmt }, { caller, nowMs, fail, requestId }) => {
    const runningYear = new Date(nowMs).getUTCFullYear();
    if (year > runningYear) refuseParameter(fail, "year", `must be a year from ${FIRST_ARCHIVE_YEAR} to ${runningYear}`);
    const symbol = requireSeries(text, interval, caller, fail);
    requireYear(caller, year, nowMs, fail);
    const name: ArchiveName = { symbol, interval, year, format: fmt };
    try {
      if (await archives.has(name)) return { location: await archives.link(name, nowMs) };
    } catch (error) {
      if (!(error instanceof ArchivesUnreachableError || error instanceof ArchivesFailedError)) throw error;
      log.error({ err: error, requestId }, "failed to look up an archive");
      return fail(error instanceof ArchivesUnreachableError ? "storage_error" : "storage_unavailable");
    }
    return fail("not_found", { message: "There is no archive of this series, interval and year." });
  };
