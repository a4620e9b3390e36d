/** The report as JUnit XML: a suite for each route, a case for each check. */
import { XMLBuilder } from "fast-xml-parser";
import { countOf, type Failure, type Report, type Result } from "./outcome.ts";

/** Escapes characters XML cannot contain. */
const shown = (text: string): string =>
  text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those XML 1.0 leaves out
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const wordsOf = ({ what, contractSays, sent, cameBack }: Failure): string =>
  [what, contractSays && `contract: ${contractSays}`, sent && `sent: ${sent}`, cameBack && `received: ${cameBack}`]
    .filter((line) => line !== "")
    .join("\n");

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

const caseOf = ({ route, group, title, status, reason, failures, durationMs }: Result) => ({
  "@name": shown(`${group}: ${title}`),
  "@classname": `assay.contract.${route}`,
  "@time": seconds(durationMs),
  ...(status === "failed"
    ? { failure: { "@message": shown(failures[0]?.what ?? ""), "#text": shown(failures.map(wordsOf).join("\n\n")) } }
    : {}),
  ...(status === "not checked" ? { skipped: { "@message": shown(reason ?? "") } } : {}),
});

const countsOf = (results: readonly Result[]) => ({
  "@tests": results.length,
  "@failures": countOf(results, "failed"),
  "@errors": 0,
  "@skipped": countOf(results, "not checked"),
});

export const junitOf = ({ baseUrl, seed, results, durationMs }: Report): string => {
  const routes = [...new Set(results.map(({ route }) => route))];
  const suites = routes.map((route) => {
    const ofRoute = results.filter((result) => result.route === route);
    return {
      "@name": route,
      ...countsOf(ofRoute),
      "@time": seconds(ofRoute.reduce((sum, result) => sum + result.durationMs, 0)),
      properties: {
        property: [
          { "@name": "base-url", "@value": shown(baseUrl) },
          { "@name": "seed", "@value": seed },
        ],
      },
      testcase: ofRoute.map(caseOf),
    };
  });
  const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: "@", format: true, suppressEmptyNode: true });
  return builder.build({
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    testsuites: { "@name": "assay contract", ...countsOf(results), "@time": seconds(durationMs), testsuite: suites },
  });
};
