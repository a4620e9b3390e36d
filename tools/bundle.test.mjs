/** What a build leaves in the folder of a bundle. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundle } from "./bundle.mjs";
import { ROOT } from "./workspaces.mjs";

test("a service that runs still finds what it has not loaded after the next build; what is older is gone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "assay-bundle-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const out = join(folder, "out");
  await writeFile(join(folder, "main.mjs"), 'export const later = () => import("./later.mjs");\n');
  const build = async (word) => {
    await writeFile(join(folder, "later.mjs"), `export const word = ${JSON.stringify(word)};\n`);
    await bundle("main", relative(ROOT, join(folder, "main.mjs")), out);
  };
  const wordsIn = async () => {
    const names = (await readdir(out)).filter((name) => name.startsWith("later-"));
    const texts = await Promise.all(names.map((name) => readFile(join(out, name), "utf8")));
    return texts.map((text) => /"(\w+)"/.exec(text)?.[1]).toSorted();
  };

  await build("first");
  await build("second");
  expect(await wordsIn()).toEqual(["first", "second"]);
  await build("third");
  expect(await wordsIn()).toEqual(["second", "third"]);
});
