/** Converts wire names to the SDK's. */

/**
 * The SDK's name of a wire field: `price_gram_24k` becomes `priceGram24k`.
 * @param name snake_case
 * @returns camelCase
 */
export const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
