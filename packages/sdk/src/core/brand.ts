/** Classes that `instanceof` knows across the builds of this package: a program may hold the one for import and the one for require. */

const isInstance = Function.prototype[Symbol.hasInstance];

/**
 * Makes `instanceof` of a class go by a mark that all builds share. Classes made from it elsewhere keep the ordinary rule.
 * @param owner the class
 * @param name what it is called
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
 * Names and marks an error class.
 * @param owner the class
 * @param name on the prototype: minifiers rename classes, and the head of a stack is written from here
 */
export const errorBrand = (owner: { readonly prototype: Error }, name: string): void => {
  owner.prototype.name = name;
  brand(owner, name);
};
