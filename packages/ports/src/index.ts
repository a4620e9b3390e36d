/** Time, timers and randomness, and those of the machine. */
export * from "./machine.ts";
export * from "./ports.ts";
