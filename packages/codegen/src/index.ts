/** What is made from the contract as text. */
export {};
