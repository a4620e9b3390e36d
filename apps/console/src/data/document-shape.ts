/** The shape of the shared front document, as the contract declares it. */
import type { AssayPages, OutputOf } from "@assay/contract";

/** What anyone may see of the market. */
export type FrontDocument = OutputOf<AssayPages["console"]["frontDocument"]>;
