/** Types of the libraries that have none. */

declare module "jstat" {
  const jstat: {
    /** The complementary error function. */
    readonly erfc: (x: number) => number;
    /** Its inverse, for 0 to 2. */
    readonly erfcinv: (p: number) => number;
  };
  export default jstat;
}

/** The functions of quadprog that are used. Arrays start at index 1, as in the original Fortran. */
declare module "quadprog" {
  const quadprog: {
    /**
     * Minimises ½ xᵀDx − dᵀx subject to Aᵀx ≥ b, the first `meq` of them as equalities.
     * @returns the solution from index 1; a non-empty message when there is none
     */
    readonly solveQP: (
      D: readonly (readonly number[])[],
      d: readonly number[],
      A: readonly (readonly number[])[],
      b: readonly number[],
      meq: number,
    ) => { readonly solution: readonly number[]; readonly message: string };
  };
  export default quadprog;
}
