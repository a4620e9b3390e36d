/** Alerts: what one is, and its routes. */
import {
  type AlertKind,
  type AlertPublic,
  type AssayContract,
  type FailWith,
  formatTimestamp,
  type InputOf,
  type MoveDirection,
  SYMBOL_HINT,
  symbolHint,
  type ValidationIssue,
  type Verb,
} from "@assay/contract";
import {
  type AlertRow,
  addAlert,
  changeAlert,
  deleteAlert,
  type NewAlert,
  newId,
  type OwnedAlert,
  readAlert,
  readAlerts,
  readSuspended,
} from "@assay/db";
import { alertPaused, compareDecimalText, type PriceSymbol, readPriceSymbol } from "@assay/pricing";
import { requireSymbol } from "../access/gate.ts";
import { type FirstLook, firstLook, type Terms } from "../account/first-look.ts";
import { requireKey } from "../account/keys.ts";
import { graceAnswer, retryOf } from "../account/retry.ts";
import type { Caller, ServiceDeps, VerbContext } from "../context.ts";
import { isId } from "../input.ts";

/** The least percentage of `moved`: what is published moves by less all the time. */
const LEAST_PERCENT = "0.01";

const issue = (name: string, message: string): ValidationIssue => ({ path: ["body", name], code: "invalid_value", message });

/**
 * The terms of an alert.
 * @param given as the caller gave them; undefined is left out
 * @param fail refuses what does not fit the kind, every field of it
 */
const readTerms = (
  kind: AlertKind,
  given: {
    readonly threshold?: string | undefined;
    readonly window_seconds?: number | undefined;
    readonly direction?: MoveDirection | undefined;
  },
  fail: FailWith<"validation_error">,
): Terms => {
  const { threshold, window_seconds: windowSeconds, direction } = given;
  const issues: ValidationIssue[] = [];
  if (kind === "stale" && threshold !== undefined) issues.push(issue("threshold", "is not a field of stale alerts"));
  if (kind !== "stale" && threshold === undefined) issues.push(issue("threshold", `is required with kind ${kind}`));
  if (kind === "moved" && windowSeconds === undefined) issues.push(issue("window_seconds", "is required with kind moved"));
  if (kind !== "moved" && windowSeconds !== undefined) issues.push(issue("window_seconds", "is a field of moved alerts only"));
  if (kind !== "moved" && direction !== undefined) issues.push(issue("direction", "is a field of moved alerts only"));
  if (kind === "moved" && threshold !== undefined && compareDecimalText(threshold, LEAST_PERCENT) < 0)
    issues.push(issue("threshold", `must be a percentage of at least ${LEAST_PERCENT}`));
  if (issues.length > 0) return fail("validation_error", { issues });
  const moves = kind === "moved" ? (direction ?? "either") : null;
  return { threshold: threshold ?? null, windowSeconds: windowSeconds ?? null, direction: moves };
};

/** Why an alert of a caller is paused; null when it is judged. */
const pausedOf = (
  catalog: ServiceDeps["catalog"],
  { tier }: Pick<Caller, "tier">,
  { isSuspended, older, ...row }: Pick<OwnedAlert, "symbol" | "isSuspended" | "older">,
): string | null => {
  const owner = { tier, isSuspended, livesUntilMs: Number.POSITIVE_INFINITY };
  return alertPaused(catalog, owner, { symbol: symbolOf(row), older }, 0);
};

export const presentAlert = (
  row: Omit<AlertRow, "memory" | "revision" | "deletedAtMs">,
  pausedReason: string | null,
): AlertPublic => ({
  id: row.id,
  name: row.name,
  symbol: row.symbol,
  kind: row.kind,
  threshold: row.threshold,
  window_seconds: row.windowSeconds,
  direction: row.direction,
  once: row.once,
  endpoint_id: row.endpointId,
  state: row.state,
  paused_reason: pausedReason,
  last_fired_at: row.lastFiredAtMs === null ? null : formatTimestamp(row.lastFiredAtMs),
  created_at: formatTimestamp(row.createdAtMs),
  updated_at: formatTimestamp(row.updatedAtMs),
});

/** The symbol of a stored alert; null when the running catalogue no longer has it. */
export const symbolOf = ({ symbol }: Pick<AlertRow, "symbol">): PriceSymbol | null => {
  const reading = readPriceSymbol(symbol);
  return reading.kind === "known" ? reading.entry : null;
};

/** What an alert is named without a name of its own. */
const defaultName = (symbol: string, kind: AlertKind, threshold: string | null): string =>
  [symbol, kind, ...(threshold === null ? [] : [threshold])].join(" ");

/** `GET /v1/account/alerts`: lists alerts, newest first. */
export const listAlerts =
  ({ store, catalog }: Pick<ServiceDeps, "store" | "catalog">): Verb<AssayContract["alerts"]["list"], VerbContext> =>
  async (_input, { caller }) => {
    const rows = await readAlerts(store, requireKey(caller).orgId);
    const alerts = rows.map((row) => presentAlert(row, pausedOf(catalog, caller, row)));
    return { alerts, max_alerts: catalog.tiers[caller.tier].max_alerts };
  };

/** `POST /v1/account/alerts`: makes an alert of the caller's organisation, as far as its tier allows. */
export const createAlerts =
  ({
    store,
    market,
    catalog,
    random,
  }: Pick<ServiceDeps, "store" | "market" | "catalog" | "random">): Verb<AssayContract["alerts"]["create"], VerbContext> =>
  async (input, context) => {
    const { caller, nowMs, asOfMs, fail } = context;
    const { orgId } = requireKey(caller);
    const reading = readPriceSymbol(input.symbol);
    if (reading.kind === "malformed") return fail("invalid_symbol", { symbol: input.symbol, hint: symbolHint(input.symbol) });
    requireSymbol(catalog, caller, reading.kind === "known" ? reading.entry : reading, fail);
    if (reading.kind === "unknown") return fail("not_found", { message: `There is no such symbol. ${SYMBOL_HINT}` });
    const { entry: symbol } = reading;
    const terms = readTerms(input.kind, input, fail);
    const { threshold } = terms;
    if (!isId(input.endpoint_id)) return fail("endpoint_not_found");
    const { alreadyTrue, ...look } = await firstLook({ store, market }, symbol, { kind: input.kind, ...terms }, asOfMs);
    const alert: NewAlert = {
      ...look,
      id: newId("alert", random),
      orgId,
      name: input.name ?? defaultName(symbol.symbol, input.kind, threshold),
      symbol: symbol.symbol,
      kind: input.kind,
      ...terms,
      once: input.once,
      endpointId: input.endpoint_id,
      createdAtMs: nowMs,
    };
    const isSuspended = await readSuspended(store, orgId);
    const paused = pausedOf(catalog, caller, { ...alert, isSuspended, older: 0 });
    const shown = presentAlert({ ...alert, hasFired: false, lastFiredAtMs: null, updatedAtMs: nowMs }, paused);
    const retry = retryOf(context, ["alerts.create", input], { ...shown, already_true: alreadyTrue }, random);
    const replayed = await graceAnswer(store, retry, context);
    if (replayed) return replayed;
    const result = await addAlert(store, alert, catalog.tiers[caller.tier].max_alerts, retry.answer);
    if (result.kind === "no_endpoint") return fail("endpoint_not_found");
    if (result.kind === "limit_reached") return fail("alert_limit_reached");
    return result.kind === "replayed" ? retry.replay(result.answer) : retry.made;
  };

/** `GET /v1/account/alerts/{alert_id}`: answers one alert of the caller's organisation. */
export const getAlerts =
  ({ store, catalog }: Pick<ServiceDeps, "store" | "catalog">): Verb<AssayContract["alerts"]["get"], VerbContext> =>
  async ({ alert_id: id }, { caller, fail }) => {
    const { orgId } = requireKey(caller);
    const row = isId(id) ? await readAlert(store, orgId, id) : null;
    return row ? presentAlert(row, pausedOf(catalog, caller, row)) : fail("alert_not_found");
  };

type Input = InputOf<AssayContract["alerts"]["update"]>;

/** Whether a change is to what an alert waits for. */
const isAfresh = ({ threshold, window_seconds, direction, once }: Input): boolean =>
  threshold !== undefined || window_seconds !== undefined || direction !== undefined || once !== undefined;

/** What is stored and not given is asked for again. */
const termsOf = (row: AlertRow, { threshold, window_seconds, direction }: Input) => ({
  threshold: threshold ?? row.threshold ?? undefined,
  window_seconds: window_seconds ?? row.windowSeconds ?? undefined,
  direction: direction ?? row.direction ?? undefined,
});

/** `PATCH /v1/account/alerts/{alert_id}`: changes an alert of the caller's organisation. */
export const updateAlerts =
  ({
    store,
    market,
    catalog,
  }: Pick<ServiceDeps, "store" | "market" | "catalog">): Verb<AssayContract["alerts"]["update"], VerbContext> =>
  async (input, { caller, nowMs, asOfMs, fail }) => {
    const { orgId } = requireKey(caller);
    const { alert_id: id, endpoint_id: endpointId } = input;
    if (!isId(id)) return fail("alert_not_found");
    if (endpointId !== undefined && !isId(endpointId)) return fail("endpoint_not_found");
    const changed = await changeAlert(store, { id, orgId, atMs: nowMs, endpointId }, async (row) => {
      const symbol = symbolOf(row);
      if (symbol) requireSymbol(catalog, caller, symbol, fail);
      const terms = readTerms(row.kind, termsOf(row, input), fail);
      const look: FirstLook = symbol
        ? await firstLook({ store, market }, symbol, { kind: row.kind, ...terms }, asOfMs)
        : { state: row.state, seenSeq: row.seenSeq, memory: null, alreadyTrue: false };
      const { alreadyTrue, ...first } = look;
      const afresh = isAfresh(input) ? { ...terms, ...first, once: input.once ?? row.once } : undefined;
      const isUnnamed = row.name === defaultName(row.symbol, row.kind, row.threshold);
      const name = input.name ?? (isUnnamed ? defaultName(row.symbol, row.kind, terms.threshold) : row.name);
      return { name, afresh, alreadyTrue };
    });
    if (changed.kind !== "changed") return changed.kind === "no_alert" ? fail("alert_not_found") : fail("endpoint_not_found");
    const { before, change } = changed;
    const { name, afresh, alreadyTrue } = change;
    const after = { ...before, ...afresh, name, endpointId: endpointId ?? before.endpointId, updatedAtMs: nowMs };
    return { ...presentAlert(after, pausedOf(catalog, caller, before)), already_true: alreadyTrue };
  };

/** `DELETE /v1/account/alerts/{alert_id}`: deletes an alert of the caller's organisation. */
export const deleteAlerts =
  ({ store }: Pick<ServiceDeps, "store">): Verb<AssayContract["alerts"]["delete"], VerbContext> =>
  async ({ alert_id: id }, { caller, nowMs, fail }) => {
    const { orgId } = requireKey(caller);
    if (!isId(id) || !(await deleteAlert(store, { id, orgId, atMs: nowMs }))) return fail("alert_not_found");
    return undefined;
  };
