/** What is known of any route from its declaration alone: its address, its parameters, its answers made strict, the windows it tells of. */
export * from "./parameters.ts";
export * from "./request-path.ts";
export * from "./strict-schema.ts";
export * from "./told-windows.ts";
