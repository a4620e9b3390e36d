/** An earlier commit of this repository: built in a folder of its own, and which findings of its contract test are breaks. */
import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Report } from "@assay/contract-test";
import { ROOT } from "./files.ts";

const run = promisify(execFile);

/** Why a commit cannot be built here; null when it can. */
export const whyNoCommit = (commit: string): string | null => {
  const { status, error } = spawnSync("git", ["cat-file", "-e", `${commit}^{tree}`], { cwd: ROOT });
  if (error) return "git is not installed";
  return status === 0 ? null : `this clone does not have the commit ${commit}`;
};

/** Git's first word of output; null when it has none. */
const ask = (...args: string[]): string | null =>
  spawnSync("git", args, { cwd: ROOT, encoding: "utf8" }).stdout?.trim().split(/\s/)[0] || null;

/** The last release: the newest tag of a version before this commit, or else the commit that last renewed what is kept of one. */
export const lastRelease = (): string | null =>
  ask("tag", "--list", "v*", "--no-contains", "HEAD", "--sort=-v:refname") ?? ask("log", "-1", "--format=%H", "--", "released");

export interface Release {
  readonly folder: string;
  /** Its `assay` command. */
  readonly assay: string;
  remove(): Promise<void>;
}

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly link?: boolean; readonly resolved?: string }>>;
}

const readLock = async (folder: string): Promise<Lockfile> =>
  JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8")) as Lockfile; // npm's own file

/** Whether what is installed here is what that release needs, so that it does not have to be installed again. */
const hasItsPackages = async (folder: string): Promise<boolean> => {
  const [theirs, ours] = [await readLock(folder), await readLock(ROOT)];
  return Object.entries(theirs.packages).every(
    ([path, { version, link }]) => link || !path.includes("node_modules/") || ours.packages[path]?.version === version,
  );
};

/** Copies what is installed here, with a link to each workspace that only that release has. */
const copyPackages = async (folder: string): Promise<void> => {
  await cp(join(ROOT, "node_modules"), join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true });
  const [theirs, ours] = [await readLock(folder), await readLock(ROOT)];
  for (const [path, { link, resolved = "" }] of Object.entries(theirs.packages))
    if (link && !(path in ours.packages)) await symlink(join(folder, resolved), join(folder, path));
};

/**
 * Builds a commit.
 * @param workspace the one whose bundle to make; everything is built when omitted
 */
export const buildRelease = async (commit: string, ...workspace: [] | ["apps/cli"]): Promise<Release> => {
  // Inside the repository, in an ignored folder: on the same disk as the installed packages, which are linked from there.
  await mkdir(join(ROOT, "e2e/dist"), { recursive: true });
  const folder = await mkdtemp(join(ROOT, "e2e/dist/release-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await run("sh", ["-c", 'git archive "$1" | tar -x -C "$2"', "sh", commit, folder], { cwd: ROOT });
    if (await hasItsPackages(folder)) await copyPackages(folder);
    else await run("npm", ["ci", "--prefer-offline", "--no-audit"], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    await run(process.execPath, ["tools/build.mjs", ...workspace], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return { folder, assay: join(folder, "apps/cli/dist/bundle/assay.js"), remove };
  } catch (error) {
    await remove();
    throw error;
  }
};

/** What a response or the document may have gained, as the contract test words it. */
const GAINED = [
  /: Unrecognized keys?: /,
  /^the code \S+ does not exist$/,
  /^the route does not declare \S+$/,
  /not in the contract$/,
  /^its version is /,
  /^(minLength|maxLength|minimum|maximum|enum) of \S+ is /,
  / is optional, expected required$/,
  /^deprecated differs /,
  /^the body has /,
];
/** Other forms of an answer, which it reads by what it knows: tables that gained columns, receipts that have the parts of a price. */
const GAINED_FORMS: ReadonlySet<string> = new Set([
  ...["prices.list", "corrections.list", "sources.list", "quotes.create", "alerts.list"].map(
    (route) => `${route}: csv differs from the JSON answer`,
  ),
  ...["spot.get", "convert.get", "carat.get"].map((route) => `${route}: jws differs from the JSON answer`),
]);
/** A request that was refused and is accepted, or refused only because what it is about does not exist. */
const WIDENED = /(: was answered (?:2\d\d\b|404 \w+_not_found\b)|^answered 200 instead of status 422 )/;
/** What is ignored since: a probe of health may carry anything. */
const IGNORES_SINCE: ReadonlySet<string> = new Set(["system.health: unknown parameters"]);
/** What is refused since, as the changelog says: a fineness that is a percentage. */
const REFUSED_SINCE: ReadonlySet<string> = new Set(["series.list: sensible requests are answered"]);

const isAddition = ({ route, group, title }: Report["results"][number], what: string): boolean => {
  if (group === "invalid input" || IGNORES_SINCE.has(`${route}: ${title}`)) return WIDENED.test(what);
  if (REFUSED_SINCE.has(`${route}: ${title}`) || GAINED_FORMS.has(`${route}: ${what}`)) return true;
  return GAINED.some((wording) => wording.test(what));
};

/** The findings of a release's contract test that are breaks, in words: route, check, and what is wrong. */
export const breaksIn = ({ results }: Report): string[] =>
  results.flatMap((result) => {
    const breaks = result.failures.filter(({ what }) => !isAddition(result, what));
    return breaks.map(({ what }) => `${result.route}, ${result.group}: ${result.title}: ${what}`);
  });
