/** What frames every page: the bar with the pages and the key in use, the notice of a lost service, and the foot. */
import { useEffect, useRef } from "preact/hooks";
import { openTier } from "../data/access.ts";
import { CLOCKS, clock, timeText } from "../data/clock.ts";
import { forgetKey, isRefused, key } from "../data/key.ts";
import { useFrontDocument, useUsage } from "../data/questions.ts";
import { at, lostSince } from "../data/service.ts";
import { tierText } from "../data/tiers.ts";
import { lengthText } from "../figures/moments.ts";
import { type ConsolePage, goTo, hrefOf, nameOf, PAGES, page } from "../routes.ts";
import { CODES, chosen, LANGUAGES, language, text } from "../text/text.ts";
import { Segments, Select } from "./choose.tsx";
import { askForKey, KeyDialog } from "./key.tsx";
import mark from "./mark.svg";
import { nowMs } from "./moment.tsx";

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
        {isRefused.value ? text().key.refused : data ? tierText(data.tier) : text().key.inUse}
      </span>
      <button type="button" class="small quiet" aria-label={text().key.forgetLong} onClick={forgetKey}>
        {text().key.forget}
      </button>
    </>
  );
};

/** Which tier everyone has here, where it is more than elsewhere. */
const OpenTier = () => {
  useFrontDocument(false);
  const tier = openTier.value;
  if (tier === null) return null;
  return (
    <span class="key-name" title={text().key.openTierLong}>
      {text().key.openTier({ tier: tierText(tier) })}
    </span>
  );
};

/** Where the bar is narrower than its pages, the one shown is moved into sight. */
const useInSight = (current: string) => {
  const pages = useRef<HTMLElement>(null);
  useEffect(() => {
    const move = (): void => {
      const link = pages.current?.querySelector<HTMLElement>("[aria-current]");
      if (link) pages.current?.scrollTo({ left: link.offsetLeft - (pages.current.clientWidth - link.clientWidth) / 2 });
    };
    move();
    // A window that becomes narrower, such as a phone that is turned, leaves it out of sight.
    addEventListener("resize", move);
    return () => removeEventListener("resize", move);
  }, [current, language.value]);
  return pages;
};

/** Each by its own name, for those who read no other. */
const SPOKEN = CODES.map((code) => ({ value: code, text: LANGUAGES[code] }));

/** The bar at the top of every page. */
export const Header = () => {
  const pages = useInSight(page.value.path);
  return (
    <header class="bar">
      <a class="brand" href={hrefOf(PAGES[0])} onClick={follow(PAGES[0])}>
        <img src={mark} width="28" height="28" alt="" />
        Assay
      </a>
      <nav ref={pages} aria-label={text().ui.allPages}>
        {PAGES.map((one) => (
          <a
            key={one.path}
            href={hrefOf(one)}
            aria-current={page.value.path === one.path ? "page" : undefined}
            onClick={follow(one)}
          >
            {nameOf(one)}
          </a>
        ))}
        <a class="docs" href={at("docs")}>
          {text().ui.pages.docs}
        </a>
      </nav>
      <div class="key-place">
        {key.value === null ? <OpenTier /> : <InUse ofKey={key.value} />}
        <button type="button" class="small change-key" onClick={askForKey}>
          {key.value === null ? text().key.use : text().key.change}
        </button>
      </div>
      <div class="language">
        <span aria-hidden="true">{language.value.toUpperCase()}</span>
        <Select label={text().ui.language} chosen={chosen} options={SPOKEN} />
      </div>
      <KeyDialog />
    </header>
  );
};

/** Shown only while nothing answers; what was read before stays where it is. */
export const Lost = () => {
  const since = lostSince.value;
  const { ui } = text();
  return (
    <div class="lost-place" role="alert">
      {since === null ? null : (
        <p class="lost">
          <strong>{ui.lost({ since: timeText(since) })}</strong>{" "}
          {nowMs.value - since < 5_000 ? ui.lostFigures : ui.lostFiguresAge({ length: lengthText(nowMs.value - since) })}
        </p>
      )}
    </div>
  );
};

export const Footer = () => (
  <footer class="foot">
    <div class="clock">
      <span>{text().ui.timesIn}</span>{" "}
      {CLOCKS.length === 1 ? CLOCKS[0].text : <Segments label={text().ui.clock} chosen={clock} options={CLOCKS} />}
    </div>
    <p>{text().ui.foot({ how: <a href={at("docs/guides/methodology")}>{text().ui.footHow}</a> })}</p>
    {/* The notice that the charts' licence asks for. */}
    <p>
      <bdi lang="en">
        Charts: TradingView Lightweight Charts™ Copyright © 2023 TradingView, Inc.{" "}
        <a href="https://www.tradingview.com/" rel="noreferrer">
          https://www.tradingview.com/
        </a>
      </bdi>
    </p>
  </footer>
);
