/** The committed documents, served under an address, equal what the generator produces for it. */
import { asyncApiDocument, openApiDocument } from "@assay/codegen";
import { DEFAULT_CATALOG, overlayCatalog } from "@assay/contract";
import { expect, test } from "vitest";
import { asyncApiText, openApiText } from "./generated-documents.ts";

/** Of a host, and of a port and a path. */
const ADDRESSES = ["https://prices.example.com", "http://[::1]:9000/a/b"];

test.each(ADDRESSES)("the OpenAPI and AsyncAPI documents of %s are the generator's, byte for byte", async (address) => {
  expect(await openApiText(address, DEFAULT_CATALOG)).toBe(JSON.stringify(openApiDocument(address)));
  expect(await asyncApiText(address)).toBe(JSON.stringify(asyncApiDocument(address)));
});

test("the OpenAPI document of a service with other access without a key is the generator's for it", async () => {
  const [address = ""] = ADDRESSES;
  const catalog = overlayCatalog({}, "pro");
  expect(await openApiText(address, catalog)).toBe(JSON.stringify(openApiDocument(address, catalog)));
  expect(await openApiText(address, catalog)).not.toBe(await openApiText(address, DEFAULT_CATALOG));
});
