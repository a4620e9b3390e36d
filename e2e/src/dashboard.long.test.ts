/** The alerts and the dashboard we ship, against Prometheus itself, scraping a running service. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ask } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, ROOT, readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { freePort, inPath } from "./harness/own-servers.ts";
import { type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 600_000 });

const PROMETHEUS = inPath("prometheus");
const PROMTOOL = inPath("promtool");
if (!PROMETHEUS || !PROMTOOL) console.info("alerts and dashboard: skipped, because prometheus and promtool are not installed");

const dashboardPanels = z.object({
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string().min(1),
      type: z.enum(["row", "timeseries", "stat"]),
      gridPos: z.object({ x: z.number().min(0), y: z.number().min(0), w: z.number().min(1).max(24), h: z.number().min(1) }),
      targets: z.array(z.object({ expr: z.string().min(1), refId: z.string(), legendFormat: z.string() })).optional(),
    }),
  ),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  schemaVersion: z.number(),
  uid: z.string(),
});
const dashboard = dashboardPanels.parse(JSON.parse(readFileSync(join(ROOT, "deploy/grafana/assay.json"), "utf8")));
const expressions = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr.replaceAll("$__rate_interval", "30s")] as const),
);

const answerOf = z.object({ status: z.literal("success"), data: z.object({ result: z.array(z.unknown()) }) });
const rulesOf = z.object({
  data: z.object({ groups: z.array(z.object({ rules: z.array(z.object({ name: z.string(), health: z.string() })) })) }),
});

/** Nothing has failed, and no other engine is used: these have nothing to show. */
const EMPTY_WHEN_WELL = [/error_type/, /assay_limited_calls_total/];

describe.skipIf(!PROMETHEUS || !PROMTOOL)("in Prometheus", { meta: { needs: "prometheus is not installed" } }, () => {
  let folder: Folder;
  let service: Service;
  let url: string;
  let stop: () => Promise<void> = async () => undefined;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const [metricsPort, port] = [await freePort(), await freePort()];
    service = await startService({ DATA_DIR: folder.path, METRICS_PORT: String(metricsPort), DISABLE: "" });
    const config = await folder.write(
      "prometheus.yml",
      [
        "global: { scrape_interval: 1s, evaluation_interval: 1s }",
        `rule_files: [${join(ROOT, "deploy/alerts.yaml")}]`,
        `scrape_configs: [{ job_name: assay, static_configs: [{ targets: ["127.0.0.1:${metricsPort}"] }] }]`,
      ].join("\n"),
    );
    url = `http://127.0.0.1:${port}`;
    const args = [`--config.file=${config}`, `--storage.tsdb.path=${folder.path}/tsdb`, `--web.listen-address=127.0.0.1:${port}`];
    const child = spawn(PROMETHEUS ?? "prometheus", args, { stdio: "ignore" });
    stop = async () => {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    };
    const { pro } = await readDemoKeys(folder.path);
    await eventually(
      "Prometheus has scraped a few times",
      async () => {
        await ask(service.url, "/v1/spot/gold", { key: pro });
        return answerOf.parse((await ask(url, "/api/v1/query?query=count_over_time(up[1m])>5")).json).data.result.length;
      },
      (count) => count > 0,
      { withinMs: 40_000, everyMs: 500 },
    );
  });
  afterAll(async () => {
    await stop();
    await service?.stop("SIGKILL");
    await folder?.remove();
  });

  it.each(expressions)("the panel %s shows figures: %s", async (_title, expr) => {
    const { data } = answerOf.parse((await ask(url, `/api/v1/query?query=${encodeURIComponent(expr)}`)).json);
    if (!EMPTY_WHEN_WELL.some((each) => each.test(expr))) expect(data.result.length).toBeGreaterThan(0);
  });

  it("evaluates every alert without an error, and none fires while the service is healthy", async () => {
    const { data } = await eventually(
      "every rule was evaluated",
      async () => rulesOf.parse((await ask(url, "/api/v1/rules")).json),
      (answer) => answer.data.groups.every(({ rules }) => rules.every(({ health }) => health !== "unknown")),
    );
    const rules = data.groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
    const firing = answerOf.parse((await ask(url, "/api/v1/query?query=ALERTS")).json).data.result;
    expect(firing).toEqual([]);
  });

  it("fires when it should, and not otherwise: the cases beside the rules pass", () => {
    expect(
      execFileSync(PROMTOOL ?? "promtool", ["check", "rules", join(ROOT, "deploy/alerts.yaml")], { encoding: "utf8" }),
    ).toContain("SUCCESS");
    expect(
      execFileSync(PROMTOOL ?? "promtool", ["test", "rules", join(ROOT, "deploy/alerts.test.yaml")], { encoding: "utf8" }),
    ).toContain("SUCCESS");
  });
});
