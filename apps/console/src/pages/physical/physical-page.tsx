/** Physical metal: what dealers ask above spot, by country and by product. */
import type { Wire } from "@assay/sdk/trpc";
import { type Answer, useAnswer } from "../../data/answers.ts";
import { choice } from "../../data/choices.ts";
import { key } from "../../data/key.ts";
import { OPENS_WITH } from "../../data/opens-with.ts";
import { AsCall } from "../../ui/call.tsx";
import { Loading } from "../../ui/loading.tsx";
import { NeedsKey } from "../../ui/needs-key.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { CountriesPanel } from "./countries-panel.tsx";
import { QuotesPanel } from "./quotes-panel.tsx";

const COUNTRIES = ["AE", "CN", "EG", "HK", "ID", "IN", "JP", "MY", "NP", "PK", "SA", "VN"] as const;

const country = choice<string>("physical", "country", COUNTRIES, "AE");

/** All countries: a call each, sent together, so they are read every five minutes only. */
const useCountries = (): Answer<readonly Wire.PhysicalQuotes[]> =>
  useAnswer(
    ["physical"],
    async (api, options) => {
      const { countries } = await api.physical.list.query(undefined, options);
      return Promise.all(countries.map((one) => api.physical.get.query({ country: one.country }, options)));
    },
    { everySeconds: 300, isWanted: key.value !== null },
  );

const Content = () => {
  const { data, error, askAgain } = useCountries();
  if (key.value === null)
    return <NeedsKey what="Dealers' quotes in twelve countries are shown" tier={OPENS_WITH["physical.get"]} />;
  if (data === undefined)
    return (
      <section class="panel tall">
        {error === null ? <Loading what="the dealers" lines={12} /> : <Refusal error={error} askAgain={askAgain} />}
      </section>
    );
  const chosen = data.find((one) => one.country === country.value) ?? data[0];
  return (
    <>
      <CountriesPanel countries={data} chosen={country} />
      {chosen === undefined ? null : <QuotesPanel country={chosen} />}
    </>
  );
};

/** The page. */
export const PhysicalPage = () => (
  <div class="page">
    <PageHead title="Physical">What dealers ask for gold above its spot price, and what they pay for it.</PageHead>
    <Content />
    <AsCall
      calls={[
        { what: "The countries", path: "v1/physical", sdk: "assay.physical.list()" },
        { what: "A country's quotes", path: `v1/physical/${country.value}`, sdk: `assay.physical.get("${country.value}")` },
      ]}
    />
  </div>
);
