/** What is used of quadprog, which comes without types. Its arrays begin at 1, as in the Fortran it is from. */
declare module "quadprog" {
  const quadprog: {
    /**
     * Minimises ½ xᵀDx − dᵀx subject to Aᵀx ≥ b, the first `meq` of them as equalities.
     * @returns the solution from index 1; a message that is not empty when there is none
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
