/** `assay keys`: what it cannot do, in one line. */
import { openEmbeddedStore } from "@assay/db/testing";
import { openMemoryLive } from "@assay/live";
import { silentProgress } from "@assay/process/progress";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NOW_MS } from "./import/testing/trial.ts";
import { runHostedKeys } from "./keys.ts";

let store: Awaited<ReturnType<typeof openEmbeddedStore>>;
const live = openMemoryLive({ clock: () => NOW_MS });
beforeAll(async () => {
  store = await openEmbeddedStore();
  await desk("create", "--org", "Kept Ltd", "--tier", "pro");
});
afterAll(async () => {
  await live.close();
  await store.close();
});

/** What is printed on stderr: by commander, or as the error that the command line prints. */
const desk = async (...args: string[]): Promise<string> => {
  let said = "";
  const output = {
    out: () => {},
    err: (text: string) => {
      said += text;
    },
    progress: silentProgress,
  };
  const signal = new AbortController().signal;
  try {
    await runHostedKeys({ args, places: [], output, store, live, clock: () => NOW_MS, signal });
    return said;
  } catch (error) {
    return said || String(error);
  }
};

test.each<[string[], RegExp]>([
  [["revoke", "no-such-key"], /no-such-key/],
  [["create", "--org", "X", "--tier", "gold"], /tier/],
  [["create", "--tier", "pro"], /--org/],
  [["create", "--org", "", "--tier", "pro"], /1 to 64/],
  [["create", "--org", "Kept\u200B Ltd", "--tier", "pro"], /--org.*visible/],
  [["create", "--org", "Kept Ltd", "--tier", "pro", "--name", "\u202Eic"], /--name.*visible/],
  // An organisation cannot have two tiers.
  [["create", "--org", "Kept Ltd", "--tier", "free"], /Kept Ltd/],
  [["tier", "Unknown Ltd", "free"], /Unknown Ltd/],
  [["tier", "Kept Ltd", "gold"], /tier/],
  [["create", "--org", "Kept Ltd", "--tier", "pro", "--expires", "2020-01-01"], /2020-01-01T00:00:00Z is in the past/],
  [["create", "--org", "Kept Ltd", "--tier", "pro", "--expires", "soon"], /--expires.*2027-01-31/],
])("%j is refused in one line", async (args, said) => {
  expect((await desk(...args)).split("\n")[0]).toMatch(said);
});
