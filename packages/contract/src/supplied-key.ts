/** Where a request carries its key: nowhere, once, or twice with different values. */
export type SuppliedKey =
  | { readonly kind: "none" }
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "conflict" };
