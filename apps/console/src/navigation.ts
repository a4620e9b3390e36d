/** Which page is shown, and moving between pages without loading the console again. */
import { computed, effect, signal } from "@preact/signals";
import { at, BASE } from "./data/base.ts";
import { areKnown, readChoices, searchOf } from "./data/choices.ts";
import { type ConsolePage, PAGES } from "./routes.ts";

const pathOf = (pathname: string): string => pathname.slice(new URL(BASE).pathname.length).replace(/\/$/, "");

const path = signal(pathOf(location.pathname));

/** The page shown; an unknown path shows the first one. */
export const page = computed<ConsolePage>(() => PAGES.find((one) => one.path === path.value) ?? PAGES[0]);

/** The address of a page, with what was chosen on it. */
export const hrefOf = ({ path: to }: ConsolePage): string => at(to) + searchOf(to);

/** Moves to a page, as a link to it does. */
export const goTo = (to: ConsolePage): void => {
  if (to.path === path.value) return;
  history.pushState(null, "", hrefOf(to));
  path.value = to.path;
  window.scrollTo(0, 0);
  document.getElementById("content")?.focus({ preventScroll: true });
};

window.addEventListener("popstate", () => {
  path.value = pathOf(location.pathname);
  readChoices(path.value, location.search);
});

// The address follows what is chosen, so that it can be kept and shared.
effect(() => {
  document.title = `${page.value.name} · Assay`;
  const { path: shown } = page.value;
  if (!areKnown(shown)) return;
  const search = searchOf(shown);
  if (location.search !== search && shown === pathOf(location.pathname))
    history.replaceState(null, "", location.pathname + search);
});
