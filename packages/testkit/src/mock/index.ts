/** msw handlers generated from the contract. */
export * from "./mock-contract.ts";
