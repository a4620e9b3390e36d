/** The committed documents, served under an address, equal what the generator produces for it. */
import { asyncApiDocument, openApiDocument } from "@assay/codegen";
import { asyncApiText, openApiText } from "@assay/process";
import { expect, test } from "vitest";

const ADDRESSES = [
  "http://127.0.0.1:8080",
  "https://prices.example.com",
  "https://example.com:8443/metals",
  "http://[::1]:9000/a/b",
];

test.each(ADDRESSES)("the OpenAPI and AsyncAPI documents of %s are the generator's, byte for byte", (address) => {
  expect(openApiText(address)).toBe(JSON.stringify(openApiDocument(address)));
  expect(asyncApiText(address)).toBe(JSON.stringify(asyncApiDocument(address)));
});
