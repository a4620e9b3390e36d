/** Actions and images by content: what is named by a tag alone can be replaced by whoever controls its publisher. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../workspaces.mjs";

const WORKFLOWS = ".github/workflows";
const IMAGE_FILES = ["Dockerfile", "deploy/compose.yaml"];

const ACTION = /^\s*(?:- )?uses:\s*(\S+)(?:\s+#\s*(\S+))?\s*$/;
/** An image: of a container, of a build stage, of a tool in a workflow. */
const IMAGES = [/^\s*image:\s*(?:&\S+\s+)?(\S+)/, /^FROM (?:--\S+ )*(\S+)/, /\bdocker run (?:--(?:rm|interactive) )+(\w\S*)/];
const INSTALL = /\bnpm (?:ci|install)\b(?!.*--ignore-scripts)/;
/** A file of jobs that may publish something. */
const MAY_PUBLISH = /^\s*(?:id-token|packages): write\b/m;

const isOurs = (image) => /^(assay|\$\{ASSAY_IMAGE:-assay\}|\*\w+)$/.test(image);
/** Which servers are tested with is said by the matrix. */
const isTested = (image) => image.startsWith("$" + "{{");
const isPinned = (image) => /@sha256:[0-9a-f]{64}$/.test(image);

const actionFault = (line) => {
  const [, action, version] = ACTION.exec(line) ?? [];
  if (action === undefined || action.startsWith("./")) return null;
  if (!/@[0-9a-f]{40}$/.test(action)) return `the action ${action} is not named by its commit`;
  return /^v\d+\.\d+\.\d+$/.test(version ?? "") ? null : `the action ${action} does not say its version behind it`;
};

const imageFault = (line) => {
  const image = IMAGES.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
  if (image === undefined || isOurs(image) || isTested(image) || isPinned(image)) return null;
  return `the image ${image} is not named by its digest`;
};

const linesOf = (text) => text.split("\n").filter((line) => !/^\s*#/.test(line));

/** Every action and image that is not pinned, and every installation beside a right to publish that runs scripts, in words. */
export const pinFaults = (root = ROOT) => {
  const folder = join(root, WORKFLOWS);
  const workflows = existsSync(folder) ? readdirSync(folder).map((name) => `${WORKFLOWS}/${name}`) : [];
  return [...workflows, ...IMAGE_FILES.filter((path) => existsSync(join(root, path)))].flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const publishes = path === "Dockerfile" || MAY_PUBLISH.test(text);
    return linesOf(text).flatMap((line) => {
      const scripts =
        publishes && INSTALL.test(line) ? `scripts of dependencies run beside a right to publish: ${line.trim()}` : null;
      return [actionFault(line), imageFault(line), scripts].filter((fault) => fault !== null).map((fault) => `${path}: ${fault}`);
    });
  });
};
