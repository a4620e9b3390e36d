/** The bar: the pages, the documents, and the key in use. */
import { useEffect, useRef } from "preact/hooks";
import { useUsage } from "../data/account.ts";
import { at } from "../data/base.ts";
import { forgetKey, isRefused, key } from "../data/key.ts";
import { tierText } from "../data/tier-names.ts";
import { goTo, hrefOf, page } from "../navigation.ts";
import { type ConsolePage, PAGES } from "../routes.ts";
import { askForKey, KeyDialog } from "./key-dialog.tsx";
import mark from "./mark.svg";

/** Follows a link without loading the console again; with a modifier the browser opens it elsewhere. */
const follow = (to: ConsolePage) => (event: MouseEvent) => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  goTo(to);
};

/** Which tier the key has; what the service says of it otherwise is on the pages. */
const InUse = ({ ofKey }: { readonly ofKey: string }) => {
  const { data } = useUsage();
  return (
    <>
      <span class="key-name" title={`${ofKey.slice(0, 16)}…`}>
        {isRefused.value ? "Key refused" : data ? tierText(data.tier) : "Key"}
      </span>
      <button type="button" class="small quiet" onClick={forgetKey}>
        Forget<span class="unseen"> the key</span>
      </button>
    </>
  );
};

/** Where the bar is narrower than its pages, the one shown is moved into sight. */
const useInSight = (current: string) => {
  const pages = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = pages.current?.querySelector<HTMLElement>("[aria-current]");
    if (link) pages.current?.scrollTo({ left: link.offsetLeft - (pages.current.clientWidth - link.clientWidth) / 2 });
  }, [current]);
  return pages;
};

/** The bar at the top of every page. */
export const Header = () => {
  const pages = useInSight(page.value.path);
  return (
    <header class="bar">
      <a class="brand" href={hrefOf(PAGES[0])} onClick={follow(PAGES[0])}>
        <img src={mark} width="28" height="28" alt="" />
        Assay
      </a>
      <nav ref={pages} aria-label="Pages">
        {PAGES.map((one) => (
          <a
            key={one.path}
            href={hrefOf(one)}
            aria-current={page.value.path === one.path ? "page" : undefined}
            onClick={follow(one)}
          >
            {one.name}
          </a>
        ))}
        <a class="docs" href={at("docs")}>
          Docs
        </a>
      </nav>
      <div class="key-place">
        {key.value === null ? null : <InUse ofKey={key.value} />}
        <button type="button" class="small change-key" onClick={askForKey}>
          {key.value === null ? "Use a key" : "Change"}
        </button>
      </div>
      <KeyDialog />
    </header>
  );
};
