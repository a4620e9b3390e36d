/** Warns about deprecated operations, once each per process. */
import type { Logger } from "./logger.ts";
import type { Operation } from "./operation.ts";

const warned = new Set<string>();

/**
 * Warns when an operation is deprecated and no warning about it was logged yet.
 * @param operation the table's entry
 * @param logger where the warning goes
 */
export const warnIfDeprecated = ({ name, deprecated }: Operation<unknown, unknown>, logger: Logger): void => {
  if (deprecated === undefined || warned.has(name)) return;
  warned.add(name);
  logger.warn(`${name} is deprecated${deprecated.successor === undefined ? "" : `; use ${deprecated.successor}`}`);
};
