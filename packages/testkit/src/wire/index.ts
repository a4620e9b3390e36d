/**
 * What a route's declaration alone says: its address, its parameters, who is allowed, strict answer schemas, the windows it
 * reports.
 */
export * from "./access.ts";
export * from "./gated-inputs.ts";
export * from "./parameters.ts";
export * from "./request-path.ts";
export * from "./strict-schema.ts";
export * from "./told-windows.ts";
