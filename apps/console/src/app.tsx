/** The console: the frame, and the page in it. */
import { useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { onReturn } from "./data/reach.ts";
import { page } from "./navigation.ts";
import { Footer } from "./ui/footer.tsx";
import { Header } from "./ui/header.tsx";
import { KeyRefused } from "./ui/key-refused.tsx";
import { Loading } from "./ui/loading.tsx";
import { Lost } from "./ui/lost.tsx";

interface Loaded {
  readonly Page: ComponentType | "failed";
}

/** The first page is part of the first load: it is there at once. */
const atOnce = (): Loaded | null => {
  const result = page.peek().load();
  return result instanceof Promise ? null : { Page: result };
};

/** The page's component, once its code is here. */
const useLoaded = (): ComponentType | "failed" | null => {
  const loaded = useSignal<Loaded | null>(useMemo(atOnce, []));
  const attempts = useSignal(0);
  useEffect(
    () =>
      onReturn(() => {
        if (loaded.peek()?.Page === "failed") attempts.value += 1;
      }),
    [attempts, loaded],
  );
  useSignalEffect(() => {
    const wanted = page.value;
    void attempts.value;
    const result = wanted.load();
    if (!(result instanceof Promise)) {
      loaded.value = { Page: result };
      return;
    }
    loaded.value = null;
    result
      .catch(() => "failed" as const)
      .then((Page) => {
        if (page.value === wanted) loaded.value = { Page };
      });
  });
  return loaded.value?.Page ?? null;
};

const NotLoaded = () => (
  <p class="notice" role="alert">
    This page could not be loaded. It is loaded as soon as the service answers, or <a href={location.href}>load it again</a>.
  </p>
);

/** The whole of it. */
export const App = () => {
  const Page = useLoaded();
  return (
    <>
      <a class="skip" href="#content">
        To the content
      </a>
      <Header />
      <Lost />
      <KeyRefused />
      <main id="content" tabIndex={-1}>
        {Page === null ? <Loading what="the page" /> : Page === "failed" ? <NotLoaded /> : <Page />}
      </main>
      <Footer />
    </>
  );
};
