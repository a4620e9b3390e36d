/** GET /v1/health: the process is alive. */
import { type AssayContract, Encoded, VERSION, type Verb } from "@assay/contract";
import type { VerbContext } from "../context.ts";

const BODY = JSON.stringify({ status: "ok", service: "assay", version: VERSION });

/** Answers without checking anything. */
export const health: Verb<AssayContract["system"]["health"], VerbContext> = () => new Encoded(BODY);
