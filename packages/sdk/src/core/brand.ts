/** Makes `instanceof` work across the builds of this package: a program may load both the import and the require build. */

const isInstance = Function.prototype[Symbol.hasInstance];

/**
 * Makes `instanceof` of a class use a mark that all builds share. Subclasses defined elsewhere keep the ordinary rule.
 * @param owner the class
 * @param name its name
 */
export const brand = (owner: { readonly prototype: object }, name: string): void => {
  const mark = Symbol.for(`@assay/sdk ${name}`);
  Object.defineProperty(owner.prototype, mark, { value: true });
  Object.defineProperty(owner, Symbol.hasInstance, {
    value(this: unknown, candidate: { readonly [mark: symbol]: unknown } | null | undefined): boolean {
      return this === owner ? candidate?.[mark] === true : isInstance.call(this as typeof owner & (() => void), candidate);
    },
  });
};

/**
 * Names and brands an error class.
 * @param owner the class
 * @param name set on the prototype: minifiers rename classes, and the first line of a stack uses it
 */
export const errorBrand = (owner: { readonly prototype: Error }, name: string): void => {
  owner.prototype.name = name;
  brand(owner, name);
};
