/** Actions and images that can be replaced behind their name. */
import { describe, expect, test } from "vitest";
import { pinFaults } from "./pins.mjs";
import { layOut } from "./scratch.mjs";

const COMMIT = "a".repeat(40);
const DIGEST = `sha256:${"b".repeat(64)}`;

const faultsOf = (files) => pinFaults(layOut(files));
const inWorkflow = (...lines) => faultsOf({ ".github/workflows/ci.yml": lines.join("\n") });

describe("an action", () => {
  test("passes with its commit and version, and one of the repository's own without", () => {
    expect(inWorkflow(`      - uses: actions/checkout@${COMMIT} # v5.1.0`, "    uses: ./.github/workflows/ci.yml")).toEqual([]);
  });

  test.each([
    ["a tag", "      - uses: actions/checkout@v5", "the action actions/checkout@v5 is not named by its commit"],
    ["a branch", "        uses: a/b/c@main # v1.0.0", "the action a/b/c@main is not named by its commit"],
    ["no version", `      - uses: a/b@${COMMIT}`, `the action a/b@${COMMIT} does not say its version behind it`],
  ])("fails with %s", (_, line, fault) => {
    expect(inWorkflow(line)).toEqual([`.github/workflows/ci.yml: ${fault}`]);
  });
});

describe("an image", () => {
  test("passes with its digest, and our own and those of the test matrix without", () => {
    const files = {
      Dockerfile: `FROM --platform=$BUILDPLATFORM node:24@${DIGEST} AS build\nFROM node:24@${DIGEST}\nRUN npm ci --ignore-scripts\n`,
      "deploy/compose.yaml": `  image: $\{ASSAY_IMAGE:-assay}\n    image: &valkey valkey:8@${DIGEST}\n    image: *valkey\n`,
      ".github/workflows/ci.yml": [
        "        image: $" + "{{ matrix.postgres }}",
        "          docker run --detach --name assay --read-only --volume assay:/data \\",
        `          docker run --rm --interactive hadolint:1@${DIGEST} hadolint - < Dockerfile`,
      ].join("\n"),
    };
    expect(faultsOf(files)).toEqual([]);
  });

  test("fails without, wherever it is named", () => {
    const files = {
      Dockerfile: "FROM node:24 AS build\n",
      "deploy/compose.yaml": "    image: &valkey valkey:8\n    image: caddy:2\n",
      ".github/workflows/ci.yml":
        "          docker run --rm --interactive hadolint/hadolint hadolint -\n        image: redis:7\n",
    };
    expect(faultsOf(files)).toEqual([
      ".github/workflows/ci.yml: the image hadolint/hadolint is not named by its digest",
      ".github/workflows/ci.yml: the image redis:7 is not named by its digest",
      "Dockerfile: the image node:24 is not named by its digest",
      "deploy/compose.yaml: the image valkey:8 is not named by its digest",
      "deploy/compose.yaml: the image caddy:2 is not named by its digest",
    ]);
  });
});

test("an installation runs no scripts where something may be published, and in the image", () => {
  const publishing = ["      id-token: write", "      - run: npm ci", "      - run: npm ci --ignore-scripts"];
  expect(inWorkflow(...publishing)).toEqual([
    ".github/workflows/ci.yml: scripts of dependencies run beside a right to publish: - run: npm ci",
  ]);
  expect(faultsOf({ Dockerfile: "RUN npm ci\n" })).toHaveLength(1);
  expect(inWorkflow("      contents: read", "      - run: npm ci")).toEqual([]);
});
