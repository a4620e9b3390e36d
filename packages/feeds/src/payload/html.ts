/** Pages for people: found by selectors, read as plain text. */
import { selectAll } from "css-select";
import { type AnyNode, type Document, DomHandler, type Element, isTag, isText, type ParentNode } from "domhandler";
import { DomUtils, Parser } from "htmlparser2";
import { FeedError } from "../feed-error.ts";

/** Marks of writing direction, and joiners: they are seen by nobody and stand in the way of every comparison. */
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Latin letters, digits and signs as wide as Chinese ones. */
const WIDE = /[\uff01-\uff5e]/g;
const WIDER_BY = 0xfee0;

/**
 * A text as a reader sees it: wide forms made narrow, unseen marks left out, one space where there was any. Nothing else is made
 * alike: a raised 2 stays one, because it is no digit of the figure it stands behind.
 */
export const plainText = (text: string): string =>
  text
    .normalize("NFC")
    .replace(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDER_BY))
    .replace(UNSEEN, "")
    .replace(/\s+/g, " ")
    .trim();

/** As deep as browsers nest; deeper is an attack, because parsing takes time by the square of the depth. */
const DEEPEST = 512;

class BoundedHandler extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    super.onopentag(name, attributes);
    if (this.tagStack.length > DEEPEST) throw new FeedError("payload", "the page is nested beyond measure");
  }
}

/**
 * Parses a page, however badly it is written.
 * @throws FeedError when it is nested deeper than any page
 */
export const readHtml = (text: string): Document => {
  const handler = new BoundedHandler();
  new Parser(handler).end(text);
  return handler.root;
};

/** Every element that matches, in the page's order. */
export const selectIn = (node: ParentNode, selector: string): Element[] => selectAll<AnyNode, Element>(selector, node);

/** The one way of saying that a page is not what it was. */
export const missing = (what: string): FeedError => new FeedError("payload", `the page has no ${what}`);

/**
 * The one element that matches.
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

/** What is written in a part of a page, scripts and styles left out; elements are apart by a space. */
export const shownText = (node: ParentNode): string => {
  const texts = DomUtils.filter(isText, node.children).filter(isText).filter(isShown);
  return plainText(texts.map(({ data }) => data).join(" "));
};

/**
 * The text of the one element that matches.
 * @param what its name in the error
 * @throws FeedError when there is none, more than one, or another element within it: an end that was lost puts one value into the other
 */
export const valueIn = (node: ParentNode, selector: string, what: string): string => {
  const found = oneIn(node, selector, what);
  if (found.children.some(isTag)) throw new FeedError("payload", `the page has more within ${what} than its value`);
  return shownText(found);
};
