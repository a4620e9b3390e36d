/** A mock's answer is the route's output: checked by `tsc -p tsconfig.tests.json`. */
import { type AssayContract, contract, type InputOf } from "@assay/contract";
import { expectTypeOf } from "vitest";
import { mockContract, mockRefusal } from "./mock-contract.ts";

const mocks = mockContract(contract, "http://assay.test");

mocks.system.health({ status: "ok", service: "assay", version: "0.1.0" });
mocks.convert.get(({ input }) => {
  expectTypeOf(input).toEqualTypeOf<InputOf<AssayContract["convert"]["get"]>>();
  return mockRefusal("spot_unavailable", {});
});
mocks.account.revokeKey(async () => undefined);

// @ts-expect-error another route's output
mocks.system.health({ symbols: [] });
// @ts-expect-error a figure where text belongs
mocks.bars.latest({ symbol: "GC", interval: "1d", bar: null, meta: { tier: "pro", count: "0", source_id: null } });
// @ts-expect-error no such route
mocks.system.metrics({});
// @ts-expect-error the fields of the code's body are missing
mockRefusal("plan_gated", {});
// @ts-expect-error no such code
mockRefusal("teapot", {});
