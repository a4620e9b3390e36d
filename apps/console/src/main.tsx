/** Starts the console: the frame, and the page in it. */
// First, so that a key leaves the address before anything is waited for.
import "./data/key.ts";
import "./ui/base.css";
import "./ui/frame.css";
import "./ui/parts.css";
import "./ui/pages.css";
import { effect, useSignal, useSignalEffect } from "@preact/signals";
import { type ComponentType, render } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { onReturn } from "./data/service.ts";
import { page } from "./routes.ts";
import { direction, isSpoken, language, speak, text } from "./text/text.ts";
import { Footer, Header, Lost } from "./ui/frame.tsx";
import { KeyRefused } from "./ui/key.tsx";
import { Loading } from "./ui/loading.tsx";

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
    {text().ui.notLoaded({ again: <a href={location.href}>{text().ui.loadAgain}</a> })}
  </p>
);

const App = () => {
  const Page = useLoaded();
  return (
    <>
      <a class="skip" href="#content">
        {text().ui.toContent}
      </a>
      <Header />
      <Lost />
      <KeyRefused />
      <main id="content" tabIndex={-1}>
        {Page === null ? <Loading what="page" /> : Page === "failed" ? <NotLoaded /> : <Page />}
      </main>
      <Footer />
    </>
  );
};

effect(() => {
  document.documentElement.lang = language.value;
  document.documentElement.dir = direction.value;
});
onReturn(() => void speak());

const root = document.getElementById("console");
if (root !== null) void isSpoken.then(() => render(<App />, root));
