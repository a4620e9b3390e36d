/** `@assay/sdk/msw`: mock handlers for tests of programs that use the SDK. */
export type { Mocks } from "../generated/mocks.ts";
export type * as Wire from "../generated/wire.ts";
export { type MockAssayOptions, mockAssay } from "./mock-assay.ts";
export type { Code, Fail, FailDetail, Mock, MockCall, NoParams } from "./mock-route.ts";
export { type MockQuote, MockStream, type MockTick, mockStream } from "./mock-stream.ts";
export type { RefusedStream } from "./mock-transports.ts";
