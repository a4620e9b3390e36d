/** The functions of jstat that are used; it has no types of its own. */
declare module "jstat" {
  const jstat: {
    /** The complementary error function. */
    readonly erfc: (x: number) => number;
    /** Its inverse, for 0 to 2. */
    readonly erfcinv: (p: number) => number;
  };
  export default jstat;
}
