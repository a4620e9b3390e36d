import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSettings } from "@assay/config";
import { CATALOG, selectFeeds } from "@assay/feeds";
import { expect, onTestFinished, test } from "vitest";
import { chooseSources, KNOWN_FEEDS } from "./sources.ts";

const LINE = `{"kind":"spot","source":"replay-a","instrument":"XAU-USD-SPOT","price":"4003.20","observed_at":"2026-11-20T01:00:00Z"}\n`;

const folderWithReplay = (): { folder: string; replay: string } => {
  const folder = mkdtempSync(join(tmpdir(), "assay-sources-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "replay.ndjson");
  writeFileSync(path, LINE);
  return { folder, replay: `replay:${path}` };
};

test("settlement files beside a replay are read, at the replay's hours", async () => {
  const { folder, replay } = folderWithReplay();
  const env = { FEEDS: `${replay},cme-files`, SETTLEMENTS_DIR: folder };
  const settings = parseSettings(env, { knownFeeds: KNOWN_FEEDS });
  const sources = await chooseSources(settings, env);
  expect(sources.polled.map(({ feed }) => feed.info.key)).toEqual(["cme-files"]);
  expect(sources.replay).not.toBeNull();
  expect(sources.marketHours).toBe(false);
});

test("a replay beside a feed is a rehearsal exactly when the feed has no upstream", () => {
  const { folder, replay } = folderWithReplay();
  for (const key of [...CATALOG.keys(), "cme-files"]) {
    const [feed] = selectFeeds(key, { SETTLEMENTS_DIR: folder }).feeds;
    const { feeds } = parseSettings({ FEEDS: `${replay},${key}` }, { knownFeeds: KNOWN_FEEDS });
    expect(feeds.isRehearsal, key).toBe(feed?.baseUrl === "");
  }
});
