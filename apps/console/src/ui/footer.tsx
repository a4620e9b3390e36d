/** The foot of every page: what the figures are not, and whose charts these are. */
import { at } from "../data/base.ts";

/** The foot. */
export const Footer = () => (
  <footer class="foot">
    <p>
      Prices are spot-based: no premium, tax or making charge. Nothing here is investment advice. Figures are shown as published;{" "}
      <a href={at("docs/guides/methodology")}>how they are made</a>.
    </p>
    {/* The notice that the charts' licence asks for. */}
    <p>
      Charts: TradingView Lightweight Charts™ Copyright © 2023 TradingView, Inc.{" "}
      <a href="https://www.tradingview.com/" rel="noreferrer">
        https://www.tradingview.com/
      </a>
    </p>
  </footer>
);
