/** The pages: their paths, names, and how they are loaded. */
import type { ComponentType } from "preact";
import { MarketPage } from "./pages/market/market-page.tsx";

/** A page of the console. */
export interface ConsolePage {
  /** Its path below the base, without slashes. */
  readonly path: string;
  readonly name: string;
  readonly load: () => Promise<ComponentType> | ComponentType;
}

/** All pages, in the order of the bar; the first is part of the first load. */
export const PAGES: readonly [ConsolePage, ...ConsolePage[]] = [
  { path: "", name: "Market", load: () => MarketPage },
  { path: "curve", name: "Curve", load: async () => (await import("./pages/curve/curve-page.tsx")).CurvePage },
  { path: "physical", name: "Physical", load: async () => (await import("./pages/physical/physical-page.tsx")).PhysicalPage },
  {
    ...{ path: "probability", name: "Probability" },
    load: async () => (await import("./pages/probability/probability-page.tsx")).ProbabilityPage,
  },
  { path: "account", name: "Account", load: async () => (await import("./pages/account/account-page.tsx")).AccountPage },
  { path: "status", name: "Status", load: async () => (await import("./pages/status/status-page.tsx")).StatusPage },
  { path: "streams", name: "Streams", load: async () => (await import("./pages/streams/streams-page.tsx")).StreamsPage },
];
