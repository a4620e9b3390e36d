/** Dead paths in the documents. */
import { describe, expect, test } from "vitest";
import { linkFaults } from "./links.mjs";
import { layOut } from "./scratch.mjs";

const faultsOf = (text, page = "README.md") =>
  linkFaults(
    layOut({
      "package.json": { scripts: { verify: "" } },
      "README.md": "",
      "docs/flow.md": "[up](../README.md)",
      "packages/pricing/src/units.ts": "",
      [page]: text,
    }),
  );

describe("dead paths", () => {
  test("are absent where links, code paths and commands resolve", () => {
    const page = [
      "[flow](docs/flow.md#the-line) and [the web](https://example.com/none) and [below](#below)",
      "`packages/pricing/src/units.ts`, `packages/pricing/src/units.ts:12`, `docs/errors/<code>.md`, `apps/api/dist/main.js`",
      "```sh\nnpm run verify\n```",
    ];
    expect(faultsOf(page.join("\n\n"))).toEqual([]);
  });

  test("are found in links, in tables and in code spans", () => {
    const page = "[gone](docs/gone.md)\n\n| a |\n|---|\n| `packages/pricing/src/gone.ts` |\n\n![picture](docs/a.png)";
    expect(faultsOf(page)).toEqual([
      "README.md: the link docs/gone.md leads nowhere",
      "README.md: there is no packages/pricing/src/gone.ts",
      "README.md: the link docs/a.png leads nowhere",
    ]);
  });

  test("are found in the pages of the examples", () => {
    const faults = faultsOf("[the bot](bot.mjs) and `examples/gone.mjs`", "examples/README.md");
    expect(faults).toEqual([
      "examples/README.md: the link bot.mjs leads nowhere",
      "examples/README.md: there is no examples/gone.mjs",
    ]);
  });

  test("are found in commands", () => {
    expect(faultsOf("`npm run fly`, `npm run -s verify`\n\n```sh\nnpm run verify && npm run swim -- now\n```")).toEqual([
      "README.md: there is no command npm run fly",
      "README.md: there is no command npm run swim",
    ]);
  });
});
