/** Who takes part in a world: processes, callers, sources and receivers, and how they may behave. */

/** Processes that faults happen to, by name. */
export const WRITERS = ["north", "south"] as const;
export const APIS = ["east", "west"] as const;
export const READERS = [...APIS, "stream"] as const;
export const PROCESSES = [...WRITERS, ...READERS] as const;
export type ApiName = (typeof APIS)[number];
export type ProcessName = (typeof PROCESSES)[number];

/** Callers, each an organisation of its own, with the tier that it begins with. */
export const PEOPLE = { fay: "free", pat: "pro", ray: "realtime_pro" } as const;
export type PersonName = keyof typeof PEOPLE;
export const TIERS = ["free", "pro", "realtime_pro"] as const;
export type Tier = (typeof TIERS)[number];

/** What the store does with a process's next statements. */
export const STORE_FAULTS = ["refuse", "delay", "loseAnswer", "dieBefore", "dieAfter"] as const;
export type StoreFault = (typeof STORE_FAULTS)[number];

/** What the bus does with a writer's next events. */
export const BUS_FAULTS = ["refuse", "loseAnswer"] as const;
export type BusFault = (typeof BUS_FAULTS)[number];

/** Sources of gold, and how each behaves from some instant on. */
export const SOURCES = 5;
export const BEHAVIOURS = ["truth", "high", "low", "grams", "silent", "frozen"] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** How those who receive events answer. */
export const MANNERS = ["accepts", "hangs", "fails", "redirects", "gone"] as const;
export type Manner = (typeof MANNERS)[number];
