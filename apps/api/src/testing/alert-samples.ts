/** What requests of the alert routes need: an endpoint, an alert and a delivery of the caller's organisation. */
import { randomUUID } from "node:crypto";
import { ID_PREFIXES } from "@assay/contract";
import type { Lab } from "@assay/contract-test";
import type { Caller } from "@assay/contract-test/requests";
import { addAlert, addEndpoint, addTest } from "@assay/db";
import { FRIDAY_MS } from "@assay/testkit";
import type { TestApp } from "./start-test-app.ts";

/** More than any test makes. */
const MANY = 1_000_000;

const idOf = (kind: keyof typeof ID_PREFIXES): string => `${ID_PREFIXES[kind]}${randomUUID()}`;

/**
 * Creates the samples.
 * @param orgOf the organisation of a caller; undefined for one without a key
 */
export const alertSamples = ({ store }: TestApp, orgOf: (caller: Caller) => string | undefined): Lab["samples"] => {
  /** Of what a caller without a key names nothing exists. */
  const ofOwner = async (caller: Caller, make: (orgId: string) => Promise<string>): Promise<string> => {
    const orgId = orgOf(caller);
    return orgId === undefined ? "none" : make(orgId);
  };
  const endpoint = async (orgId: string): Promise<string> => {
    const id = idOf("endpoint");
    await addEndpoint(store, { id, orgId, url: "https://example.com", secret: "", createdAtMs: FRIDAY_MS }, MANY);
    return id;
  };
  const alert = async (orgId: string): Promise<string> => {
    const id = idOf("alert");
    const terms = {
      symbol: "XAU-USD-SPOT",
      kind: "above",
      threshold: "4000",
      windowSeconds: null,
      direction: null,
      once: true,
    } as const;
    const first = { state: "armed", seenSeq: 0, memory: null, createdAtMs: FRIDAY_MS } as const;
    await addAlert(store, { id, orgId, name: "sample", endpointId: await endpoint(orgId), ...terms, ...first }, MANY);
    return id;
  };
  const delivery = async (orgId: string): Promise<string> => {
    const id = idOf("delivery");
    await addTest(store, { id: await endpoint(orgId), orgId, atMs: FRIDAY_MS }, { id, payload: "{}" });
    return id;
  };
  const named =
    (name: string, make: (orgId: string) => Promise<string>, more: object = {}) =>
    async (caller: Caller) => ({
      [name]: await ofOwner(caller, make),
      ...more,
    });
  return {
    "alerts.create": named("endpoint_id", endpoint, { symbol: "gold", kind: "above", threshold: "4000" }),
    "alerts.get": named("alert_id", alert),
    "alerts.update": named("alert_id", alert, { threshold: "4100" }),
    "alerts.delete": named("alert_id", alert),
    "endpoints.delete": named("endpoint_id", endpoint),
    "endpoints.test": named("endpoint_id", endpoint),
    "endpoints.rotate": named("endpoint_id", endpoint),
    "deliveries.redeliver": named("delivery_id", delivery),
  };
};
