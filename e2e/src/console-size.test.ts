/** The size of the console's first load, as built. */
import { expect, it } from "vitest";
import { FIRST_LOAD_BYTES, firstLoad } from "./harness/console.ts";

it("the console's first load stays within its bound, and includes its script and its style", async () => {
  const files = await firstLoad();
  const names = files.map(({ name }) => name.replace(/-[\w-]+(?=\.)/, ""));
  expect(names).toEqual(expect.arrayContaining(["index.html", "assets/index.js", "assets/index.css"]));
  expect(files.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0)).toBeLessThan(FIRST_LOAD_BYTES);
});
