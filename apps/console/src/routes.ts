/** The pages: how they are loaded, which one is shown, and moving between them without loading the console again. */
import { computed, effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { areKnown, readChoices, searchOf } from "./data/choices.ts";
import { at, BASE } from "./data/service.ts";
import { MarketPage } from "./pages/market/market-page.tsx";
import { readLanguage, type Text, text, withLanguage } from "./text/text.ts";

export interface ConsolePage {
  /** Its path below the base, without slashes. */
  readonly path: string;
  readonly name: keyof Text["ui"]["pages"];
  readonly load: () => Promise<ComponentType> | ComponentType;
}

/** All pages, in the order of the bar; the first is part of the first load. */
export const PAGES: readonly [ConsolePage, ...ConsolePage[]] = [
  { path: "", name: "market", load: () => MarketPage },
  { path: "counter", name: "counter", load: async () => (await import("./pages/counter/counter-page.tsx")).CounterPage },
  { path: "curve", name: "curve", load: async () => (await import("./pages/curve/curve-page.tsx")).CurvePage },
  { path: "physical", name: "physical", load: async () => (await import("./pages/physical/physical-page.tsx")).PhysicalPage },
  {
    path: "probability",
    name: "probability",
    load: async () => (await import("./pages/probability/probability-page.tsx")).ProbabilityPage,
  },
  { path: "sources", name: "sources", load: async () => (await import("./pages/sources/sources-page.tsx")).SourcesPage },
  {
    path: "corrections",
    name: "corrections",
    load: async () => (await import("./pages/corrections/corrections-page.tsx")).CorrectionsPage,
  },
  { path: "account", name: "account", load: async () => (await import("./pages/account/account-page.tsx")).AccountPage },
  { path: "status", name: "status", load: async () => (await import("./pages/status/status-page.tsx")).StatusPage },
  { path: "streams", name: "streams", load: async () => (await import("./pages/streams/streams-page.tsx")).StreamsPage },
];

const inWords = (search: URLSearchParams): string => (search.size === 0 ? "" : `?${search}`);

const pathOf = (pathname: string): string => pathname.slice(new URL(BASE).pathname.length).replace(/\/$/, "");

const path = signal(pathOf(location.pathname));

/** The page shown; an unknown path shows the first one. */
export const page = computed<ConsolePage>(() => PAGES.find((one) => one.path === path.value) ?? PAGES[0]);

export const nameOf = ({ name }: ConsolePage): string => text().ui.pages[name];

/** The address of a page, with what was chosen on it. */
export const hrefOf = ({ path: to }: ConsolePage): string => at(to) + inWords(withLanguage(searchOf(to)));

/** Moves to a page, as a link to it does. */
export const goTo = (to: ConsolePage): void => {
  if (to.path === path.value) return;
  history.pushState(null, "", hrefOf(to));
  path.value = to.path;
  window.scrollTo(0, 0);
  document.getElementById("content")?.focus({ preventScroll: true });
};

// The address follows what is chosen, so that it can be kept and shared.
const writeAddress = (): void => {
  document.title = `${nameOf(page.value)} · Assay`;
  const { path: shown } = page.value;
  // Until its choices are known, those in its address stay as they are.
  const search = inWords(withLanguage(areKnown(shown) ? searchOf(shown) : new URLSearchParams(location.search)));
  if (location.search !== search && shown === pathOf(location.pathname))
    history.replaceState(null, "", location.pathname + search);
};

window.addEventListener("popstate", () => {
  readLanguage();
  path.value = pathOf(location.pathname);
  readChoices(path.value, location.search);
  writeAddress();
});

effect(writeAddress);
