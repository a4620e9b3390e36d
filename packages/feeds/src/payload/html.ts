/** HTML pages: elements found by selectors, read as plain text. */
import { selectAll } from "css-select";
import { type AnyNode, type Document, DomHandler, type Element, isTag, isText, type ParentNode } from "domhandler";
import { DomUtils, Parser } from "htmlparser2";
import { FeedError } from "../feed/error.ts";

/** Directional marks and joiners: invisible, and they break comparisons. */
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Full-width Latin letters, digits and signs. */
const WIDE = /[\uff01-\uff5e]/g;
const WIDER_BY = 0xfee0;

/**
 * A text as a reader sees it: full-width forms narrowed, invisible marks removed, whitespace collapsed. Nothing else is
 * normalised: a superscript 2 is kept, because it is not a digit of the figure before it.
 */
export const plainText = (text: string): string =>
  text
    .normalize("NFC")
    .replace(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDER_BY))
    .replace(UNSEEN, "")
    .replace(/\s+/g, " ")
    .trim();

/** As deep as browsers nest; anything deeper is an attack, because parsing time is quadratic in depth. */
const DEEPEST = 512;

class BoundedHandler extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    super.onopentag(name, attributes);
    if (this.tagStack.length > DEEPEST) throw new FeedError("payload", "the page is nested too deeply");
  }
}

/**
 * Parses a page, however malformed.
 * @throws FeedError when it is nested too deeply
 */
export const readHtml = (text: string): Document => {
  const handler = new BoundedHandler();
  new Parser(handler).end(text);
  return handler.root;
};

/** Every matching element, in document order. */
export const selectIn = (node: ParentNode, selector: string): Element[] => selectAll<AnyNode, Element>(selector, node);

/** The error for a page whose structure has changed. */
export const missing = (what: string): FeedError => new FeedError("payload", `the page has no ${what}`);

/**
 * The only matching element.
 * @param what its name in the error
 * @throws FeedError when there is none, or more than one
 */
export const oneIn = (node: ParentNode, selector: string, what: string): Element => {
  const [found, another] = selectIn(node, selector);
  if (!found) throw missing(what);
  if (another) throw new FeedError("payload", `the page has more than one ${what}`);
  return found;
};

const isShown = ({ parent }: AnyNode): boolean => parent?.type !== "script" && parent?.type !== "style";

/** The text content of part of a page, without scripts and styles; elements are separated by a space. */
export const shownText = (node: ParentNode): string => {
  const texts = DomUtils.filter(isText, node.children).filter(isText).filter(isShown);
  return plainText(texts.map(({ data }) => data).join(" "));
};

/**
 * The text of the only matching element.
 * @param what its name in the error
 * @throws FeedError when there is none, more than one, or another element within it: a missing end tag would merge two values
 */
export const valueIn = (node: ParentNode, selector: string, what: string): string => {
  const found = oneIn(node, selector, what);
  if (found.children.some(isTag)) throw new FeedError("payload", `the page has more within ${what} than its value`);
  return shownText(found);
};
