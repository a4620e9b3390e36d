/** The functions of quadprog that are used; it has no types of its own. Arrays start at index 1, as in the original Fortran. */
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
