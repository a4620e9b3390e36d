import { SSE_SYMBOLS as OF_THE_SDK } from "@assay/sdk/stream";
import { expect, it } from "vitest";
import { SSE_SYMBOLS } from "./streamable.ts";

it("are the same as the SDK's", () => {
  expect(SSE_SYMBOLS).toEqual(OF_THE_SDK);
});
