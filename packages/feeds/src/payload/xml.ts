/** XML as plain objects: attributes as text, namespaces dropped, entities and processing instructions ignored. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { FeedError } from "../feed/error.ts";

const PARSER = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseAttributeValue: false,
  parseTagValue: false,
  removeNSPrefix: true,
  processEntities: false,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/**
 * Parses XML; every element is an array, so that one and many look alike.
 * @throws FeedError when it is not well-formed, declares a document type, or is nested too deeply
 */
export const readXml = (text: string): unknown => {
  if (/<!DOCTYPE/i.test(text)) throw new FeedError("payload", "the body declares a document type");
  if (XMLValidator.validate(text) !== true) throw new FeedError("payload", "the body is not well-formed XML");
  try {
    return PARSER.parse(text);
  } catch (cause) {
    throw new FeedError("payload", "the body is not supported XML", { cause });
  }
};
