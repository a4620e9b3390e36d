/** The packed tarball in third-party tools: an older compiler, and package linters. */
import { readFile } from "node:fs/promises";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPacked, type Project, programOf } from "./testing/packed.ts";
import { typesSuite } from "./testing/types-suite.ts";

let project: Project;
let tarball: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  project = await installPacked(["@types/node", "msw", "@trpc/client", "@trpc/server"]);
  tarball = new Uint8Array(await readFile(project.tarball));
});
afterAll(() => project?.remove());

describe("the tarball", () => {
  test("passes publint", async () => {
    const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test("has the right types under every module resolution", async () => {
    const analysis = await checkPackage(createPackageFromTarballData(tarball));
    expect(analysis.types && analysis.problems).toEqual([]);
  });
});

typesSuite("TypeScript 5.6", programOf("@arethetypeswrong/core/node_modules/typescript/bin/tsc"), () => project);
