/** Time, timers and randomness, those of the machine, and the words for what its network does. */
export * from "./machine.ts";
export * from "./network-fault.ts";
export * from "./ports.ts";
