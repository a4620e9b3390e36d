/** No component has words of its own: they are messages, or they would be English in every language. */
import { describe, expect, it } from "vitest";
import { childrenOf, isNode, type Node, sources, treeOf } from "./testing/sources.ts";

/** What people read of an element or a component. */
const READ = new Set(["aria-label", "title", "placeholder", "alt", "label", "text", "question", "unit", "children"]);
/** Properties of what is chosen from, and of calls. */
const NAMED = new Set(["text", "title", "what", "said", "label"]);
/** What programs read. */
const UNREAD = new Set(["class", "place", "style", "href", "name", "id", "type", "data-price"]);

/** Words that are the same in every language, or that a licence asks for. */
const PROPER = new Set(["Assay", "Realtime Pro", "curl", "TypeScript", "UTC", "/v1/corrections", "https://www.tradingview.com/"]);
const NOTICE = /^Charts: TradingView/;
/** Programs' own words: code to copy, and requests. */
const CODE = new Set(["ui/call.tsx", "data/shipped-catalogue.ts"]);

const isWord = (text: string): boolean =>
  /\p{L}/u.test(text.replaceAll("&nbsp;", "")) && !PROPER.has(text.trim()) && !NOTICE.test(text.trim());

/** The text that an expression may come to, as far as it is written out there. */
const textsIn = (node: Node): readonly string[] => {
  const within = (name: string): readonly string[] => (isNode(node[name]) ? textsIn(node[name]) : []);
  if (node.type === "Literal") return typeof node.value === "string" ? [node.value] : [];
  if (node.type === "TemplateLiteral")
    return (node.quasis as readonly { value: { raw: string } }[]).map(({ value }) => value.raw); // as parsed
  if (node.type === "ConditionalExpression") return [...within("consequent"), ...within("alternate")];
  if (node.type === "LogicalExpression" || (node.type === "BinaryExpression" && node.operator === "+"))
    return [...within("left"), ...within("right")];
  return node.type === "JSXExpressionContainer" ? within("expression") : [];
};

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value ?? "") : "");

/** Words in a file, in reading order. */
const wordsOf = (path: string, source: string): readonly string[] => {
  const found: string[] = [];
  const note = (texts: readonly string[]): void => {
    found.push(...texts.filter(isWord).map((text) => text.trim()));
  };
  const visit = (node: Node): void => {
    if (node.type === "ImportDeclaration" || node.type === "ThrowStatement") return;
    // A failure is worded where it is shown.
    if (node.type === "NewExpression" && /Error$/.test(nameOf(node.callee))) return;
    if (node.type === "JSXText") note([String(node.value)]);
    if (node.type === "JSXElement" || node.type === "JSXFragment")
      for (const child of (node.children as readonly Node[]).filter(({ type }) => type === "JSXExpressionContainer"))
        note(textsIn(child)); // as parsed
    if (node.type === "JSXAttribute") {
      const name = nameOf(node.name);
      if (UNREAD.has(name)) return;
      if (READ.has(name) && isNode(node.value)) note(textsIn(node.value));
    }
    if (node.type === "Property" && NAMED.has(nameOf(node.key)) && isNode(node.value)) note(textsIn(node.value));
    if (node.type === "Literal" || node.type === "TemplateLiteral")
      note(textsIn(node).filter((text) => /\p{L}{2,} \p{L}{2,}/u.test(text)));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(treeOf(path, source));
  return [...new Set(found)];
};

const files = sources().filter(([name]) => !name.startsWith("text/") && !CODE.has(name));

describe("the components of the console", () => {
  it("have no words of their own", () => {
    const words = files.flatMap(([name, source]) => wordsOf(name, source).map((text) => `${name}: ${text}`));
    expect(files.length).toBeGreaterThan(60);
    expect(words).toEqual([]);
  });

  it.each([
    ["<p>Nothing yet</p>", "Nothing yet"],
    ["<p>{isOpen ? text().open : 'closed'}</p>", "closed"],
    ["<p title={`Since`}>{time}</p>", "Since"],
    ["<Panel title='Sources' />", "Sources"],
    ["<img alt='A bar' />", "A bar"],
    ["<input placeholder='such as ci' aria-label={name} />", "such as ci"],
    ["[{ value: 'price', text: 'Price' }]", "Price"],
    ["reasons.join(' and then ') || 'no settlement is known'", "no settlement is known"],
  ])("are found out: %s", (source, word) => {
    expect(wordsOf("a.tsx", `const a = ${source};`)).toContain(word);
  });

  it("may have classes, codes and figures", () => {
    expect(wordsOf("a.tsx", "const a = <p class='soft note' data-kind={kind}>{key === 'gram' ? of : null} ·</p>;")).toEqual([]);
  });
});
