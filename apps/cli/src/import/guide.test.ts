/** The import guide: its commands, in their order, print what it shows. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openEmbeddedStore } from "@assay/db/testing";
import { openMemoryLive } from "@assay/live";
import { silentProgress } from "@assay/process/progress";
import { afterAll, expect, test } from "vitest";
import { runHostedImport } from "./command.ts";
import { NOW_MS, openScratch } from "./testing/trial.ts";

const GUIDE = readFileSync(new URL("../../../../docs/guides/import.md", import.meta.url), "utf8");
const BLOCK = /^```(\w+)\n([\s\S]*?)^```/gm;
const COMMAND = "npm run import -- ";

const scratch = openScratch();
afterAll(() => scratch.remove());

/** The words of a shell's line, without its quotes. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replaceAll(/["']/g, ""));

test("the commands read the files as the guide shows them, and print the summaries it shows", async () => {
  const blocks = [...GUIDE.matchAll(BLOCK)].map(([, language = "", text = ""]) => ({ language, text }));
  const store = await openEmbeddedStore();
  const live = openMemoryLive({ clock: () => NOW_MS });
  let commands = 0;
  for (const [index, { language, text }] of blocks.entries()) {
    if (language !== "sh") continue;
    expect(text).toMatch(COMMAND);
    const args = wordsOf(text.trim().slice(COMMAND.length));
    const name = args.at(-1) ?? "";
    const before = blocks[index - 1];
    if (before?.language === "csv") scratch.write(name, before.text);
    const said = { out: "", err: "" };
    const output = {
      out: (line: string) => {
        said.out += line;
      },
      err: (line: string) => {
        said.err += line;
      },
      progress: silentProgress,
    };
    const places = [join(scratch.folder, name)];
    const isDone = await runHostedImport({ args, places, output, store, live, clock: () => NOW_MS, signal: AbortSignal.any([]) })
      .then(() => true)
      .catch((error: Error) => {
        output.err(`${error.message}\n`);
        return false;
      });
    const after = blocks[index + 1];
    const isRefused = after?.language === "console";
    expect(isDone, `${text}${said.err}`).toBe(!isRefused);
    expect(isRefused ? said.err : said.out.replace(/\d+\.\d s/, "0.1 s"), text).toBe(after?.text);
    commands += 1;
  }
  await live.close();
  await store.close();
  expect(commands).toBe(6);
});
