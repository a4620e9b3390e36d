/** The live engines: ports, and their adapters in memory and on Redis. */
export * from "./ports.ts";
