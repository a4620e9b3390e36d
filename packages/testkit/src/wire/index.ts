/** What is known of any route from its declaration alone: its address, its parameters, who is let in, its answers made strict, the windows it tells of. */
export * from "./access.ts";
export * from "./gated-inputs.ts";
export * from "./parameters.ts";
export * from "./request-path.ts";
export * from "./strict-schema.ts";
export * from "./told-windows.ts";
