/** The version of this package, as it names itself to the service. */

/** The same as in package.json. */
export const VERSION = "0.1.0";
