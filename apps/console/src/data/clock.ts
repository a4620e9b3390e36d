/** The one clock of every page: instants are in the reader's zone or in UTC, as they choose. */
import { computed } from "@preact/signals";
import type { Interval } from "../charts/forming.ts";
import { calendarDay, clockTime, dayAndTime } from "../figures/moments.ts";
import { remembered } from "./memory.ts";

/** The reader's zone, by its name. */
const LOCAL = Intl.DateTimeFormat().resolvedOptions().timeZone;

export const clock = remembered("clock", ["local", "utc"], "local");

/** The zone of every instant that is shown. */
export const zone = computed(() => (clock.value === "utc" ? "UTC" : LOCAL));

/** The two clocks, to choose from, unless they are one; zones have one name in every language. */
export const CLOCKS =
  LOCAL === "UTC"
    ? ([{ value: "local", text: "UTC" }] as const)
    : ([
        { value: "local", text: LOCAL.replaceAll("_", " ") },
        { value: "utc", text: "UTC" },
      ] as const);

export const timeText = (instantMs: number): string => clockTime(instantMs, { timeZone: zone.value });

export const instantText = (instantMs: number): string => dayAndTime(instantMs, { timeZone: zone.value });

/** When a bar begins: a day, which is one of UTC by any clock, or an instant. */
export const startText = (start: string, length: Interval): string =>
  length === "1d" ? calendarDay(start.slice(0, 10)) : instantText(Date.parse(start));
