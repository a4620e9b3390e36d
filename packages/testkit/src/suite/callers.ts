/** Callers of every kind. */
import { generateKey } from "@assay/services";
import type { CallerKind } from "../wire/access.ts";
import type { SuiteCaller } from "./harness.ts";
import type { RouteCase } from "./route-case.ts";

/** A caller of a kind: its key as sent, and its identity when the service knows it. */
export const callerOf = async (
  it: RouteCase,
  kind: CallerKind,
): Promise<{ caller: SuiteCaller | null; key: string | undefined }> => {
  if (kind === "no key") return { caller: null, key: undefined };
  if (kind === "bad key") return { caller: null, key: generateKey() };
  const caller = await it.caller(kind);
  return { caller, key: caller.key };
};
