/** The files in `deploy`, as far as they can be checked without the programs that read them. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { BlockList, isIPv4 } from "node:net";
import { join } from "node:path";
import { ERRORS } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, ROOT, temporaryFolder } from "./harness/files.ts";
import { runEntry } from "./harness/service.ts";

const DEPLOY = join(ROOT, "deploy");
const read = (path: string): string => readFileSync(join(DEPLOY, path), "utf8");

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );

describe("deploy/compose.yaml", () => {
  let folder: Folder;
  let secrets: string;
  const makeSecrets = (): void => {
    execFileSync(join(folder.path, "secrets.sh"), { stdio: "ignore" });
  };
  beforeAll(async () => {
    folder = await temporaryFolder();
    cpSync(join(DEPLOY, "secrets.sh"), join(folder.path, "secrets.sh"));
    secrets = join(folder.path, "secrets");
    makeSecrets();
  });
  afterAll(() => folder?.remove());

  const compose = read("compose.yaml");
  const declared = [...compose.matchAll(/^ {2}(\w+): \{ file: \.\/secrets\/(\w+) \}$/gm)].map(([, name, file]) => [name, file]);

  it("trusts the proxy's own address, and not a network in which others could pose as it", () => {
    const [, trusted = ""] = /^ {2}TRUST_PROXY: (\S+)$/m.exec(compose) ?? [];
    const [proxy = ""] = /^ {2}proxy:[\s\S]*?^ {2}\S/m.exec(compose) ?? [];
    expect(isIPv4(trusted), trusted).toBe(true);
    expect(proxy).toContain(`default: { ipv4_address: ${trusted} }`);
    const [, subnet = "", bits = ""] = /subnet: ([\d.]+)\/(\d+)/.exec(compose) ?? [];
    const network = new BlockList();
    network.addSubnet(subnet, Number(bits));
    expect(network.check(trusted)).toBe(true);
    expect(read("helm/assay/values.yaml")).toMatch(/^trustProxy: ""$/m);
  });

  it("mounts files that are there", () => {
    const mounted = [...compose.matchAll(/- (\.\/[^:\s]+):/g)].map(([, path = ""]) => path);
    expect(mounted.length).toBeGreaterThan(3);
    expect(mounted.filter((path) => !existsSync(join(DEPLOY, path)))).toEqual([]);
  });

  it("uses the secrets that secrets.sh makes, each by its own name, and declares no other", () => {
    expect(declared.map(([, file]) => file).toSorted()).toEqual(readdirSync(secrets).toSorted());
    for (const [name, file] of declared) expect(name).toBe(file);
    const used = new Set(
      [...compose.matchAll(/secrets: (?:&[\w-]+ )?\[([^\]]+)\]/g)].flatMap(([, list = ""]) => list.split(/,\s*/)),
    );
    expect([...used].toSorted()).toEqual(declared.map(([name]) => name).toSorted());
  });

  it("gets secrets that no other user of the machine can read, and that a second run keeps", () => {
    expect(statSync(secrets).mode & 0o777).toBe(0o700);
    const contents = () => readdirSync(secrets).map((name) => readFileSync(join(secrets, name), "utf8"));
    const before = contents();
    makeSecrets();
    expect(contents()).toEqual(before);
    const passwords = readdirSync(secrets).filter((name) => name.endsWith("_password"));
    expect(new Set(passwords.map((name) => readFileSync(join(secrets, name), "utf8"))).size).toBe(passwords.length);
    for (const name of passwords) expect(readFileSync(join(secrets, name), "utf8")).toMatch(/^[0-9a-f]{48}\n$/);
  });

  it("gets a key of receipts that the service signs with, and every API process is given it", async () => {
    const listed = await runEntry("signing-keys", { SIGNING_KEY_FILE: join(secrets, "signing_keys") }, ["list"]);
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(listed.stdout).keys).toMatchObject([{ signs: true }]);
    const [api = ""] = /^ {2}api-1:[\s\S]*?^ {2}\S/m.exec(compose) ?? [];
    expect(api).toContain("SIGNING_KEY_FILE: /run/secrets/signing_keys");
    expect(compose).toMatch(/^ {2}api-2:\n {4}<<: \*api$/m);
  });

  it("gets addresses with each role's own password", () => {
    const contentOf = (name: string): string => readFileSync(join(secrets, name), "utf8").trimEnd();
    for (const role of ["owner", "api", "stream", "writer"]) {
      const address = `postgres://assay_${role}:${contentOf(`${role}_password`)}@postgres:5432/assay`;
      expect(contentOf(`${role}_database_url`)).toBe(address);
    }
    for (const role of ["api", "stream", "writer", "operator"]) {
      const address = `redis://assay_${role}:${contentOf(`${role}_redis_password`)}@valkey:6379`;
      expect(contentOf(`${role}_redis_url`)).toBe(address);
    }
  });

  it("is upgraded process by process: upgrade.sh knows each one, and each task that ends", () => {
    const script = read("upgrade.sh");
    const listOf = (variable: string): string[] =>
      (new RegExp(`for ${variable} in ([^;]+);`).exec(script)?.[1] ?? "").split(" ").toSorted();
    const services = [...compose.matchAll(/^ {2}([a-z][\w-]*):(?: &\w+)?\n((?: {4}.*\n| {2,}#.*\n)+)/gm)];
    const processes = services.filter(([, name = ""]) => /^(api|stream|writer)-\d$/.test(name));
    const tasks = services.filter(([, , body = ""]) => /^ {4}restart: "no"$/m.test(body) && !/^ {4}profiles:/m.test(body));
    expect(processes).toHaveLength(6);
    expect(listOf("process")).toEqual(processes.map(([, name]) => name).toSorted());
    expect(tasks).toHaveLength(3);
    expect(listOf("task")).toEqual(tasks.map(([, name]) => name).toSorted());
  });

  it("gives each process the addresses of its own role, and no other secret of a database", () => {
    for (const role of ["api", "stream", "writer"]) {
      const [service = ""] = new RegExp(`^ {2}${role}-1:[\\s\\S]*?^ {2}\\S`, "m").exec(compose) ?? [];
      expect(service).toContain(
        `DATABASE_URL_FILE: /run/secrets/${role}_database_url\n      REDIS_URL_FILE: /run/secrets/${role}_redis_url`,
      );
      const [, given = ""] = /secrets: \[([^\]]+)\]/.exec(service) ?? [];
      expect(given.split(", ").filter((name) => name !== "signing_keys")).toEqual([`${role}_database_url`, `${role}_redis_url`]);
    }
  });
});

describe("every package", () => {
  const shipped = [join(ROOT, "Dockerfile"), ...filesBelow(DEPLOY)].filter((path) => !path.includes("/deploy/secrets/"));
  /** Every setting there is, as the reference lists them. */
  const settings = readFileSync(join(ROOT, "docs/reference/settings.md"), "utf8");

  const isSetting = (name: string): boolean => settings.includes(`\`${name}\``);

  it("sets only variables that Assay has", () => {
    const named = [
      "compose.yaml",
      "helm/assay/templates/_helpers.tpl",
      "helm/assay/templates/migrate.yaml",
      "systemd/assay.service",
    ]
      .map(read)
      .flatMap((text) => [
        ...text.matchAll(/(?:^|[\s"'=])((?:[A-Z][A-Z0-9]+_)+(?:URL|DIR|PROXY|PORT|KEY|ID|REGION|ENDPOINT|FILE))\b/gm),
      ])
      .map(([, name = ""]) => name)
      .filter((name) => !/^(ASSAY|GF|POSTGRES)_/.test(name));
    expect(named.length).toBeGreaterThan(10);
    expect([...new Set(named)].filter((name) => !isSetting(name) && !isSetting(name.replace(/_FILE$/, "")))).toEqual([]);
  });

  it("starts Node as the command does", () => {
    const command = readFileSync(join(ROOT, "apps/cli/bin/assay.mjs"), "utf8");
    const [, memory = "", node = ""] = /^#!\/usr\/bin\/env -S (\w+=\d+) (node --.+)$/m.exec(command) ?? [];
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(scripts.start).toBe(`${memory} exec ${node} apps/cli/bin/assay.mjs start`);
    const unit = read("systemd/assay.service");
    expect(unit).toContain(`\nEnvironment=${memory}\nExecStart=/usr/bin/${node} /opt/assay/apps/cli/bin/assay.mjs start\n`);
    expect(readFileSync(join(ROOT, "Dockerfile"), "utf8")).toContain('\nENTRYPOINT ["assay"]\n');
  });

  it("refuses in the contract's words where a proxy answers for a service that is away", () => {
    const { message } = ERRORS.service_unavailable;
    for (const proxy of ["nginx.conf", "Caddyfile"])
      expect(read(proxy)).toContain(`{"error":"service_unavailable","message":"${message}","request_id":`);
  });

  it("holds no secret, and no real host name", () => {
    for (const path of shipped) {
      const text = readFileSync(path, "utf8");
      expect(text, path).not.toMatch(/assay_live_[0-9A-Za-z]{8}|BEGIN (RSA |EC )?PRIVATE KEY/);
    }
  });

  it("runs its scripts when they are called by name", () => {
    const scripts = shipped.filter((path) => path.endsWith(".sh"));
    expect(scripts.length).toBeGreaterThanOrEqual(3);
    for (const path of scripts) expect(statSync(path).mode & 0o111, path).toBe(0o111);
  });

  it("is laid out only into an empty folder", async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder.path, "used/by-someone"), { recursive: true });
    expect(() => execFileSync(join(DEPLOY, "layout.sh"), [join(folder.path, "used")], { stdio: "pipe" })).toThrow(/is not empty/);
    await folder.remove();
  });
});
