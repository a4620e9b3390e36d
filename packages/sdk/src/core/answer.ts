/** One whole answer: its head, and its body as text that is parsed at most once. */
import type { Redact } from "./redact.ts";
import { unreadable } from "./unreadable.ts";

/** An answer of the service, read to its end. */
export class Answer {
  /** The head; its body has been read. */
  readonly response: Response;
  readonly #text: string;
  readonly #redact: Redact;
  readonly #line: string;
  #parsed: { readonly body: unknown } | undefined;

  /**
   * @param response the head
   * @param text the body, empty where there is none
   * @param redact applied to what an error quotes of the body
   * @param line method and path of the request, for errors
   */
  constructor(response: Response, text: string, redact: Redact, line: string) {
    this.response = response;
    this.#text = text;
    this.#redact = redact;
    this.#line = line;
  }

  /** Characters of the body. */
  get length(): number {
    return this.#text.length;
  }

  /**
   * The JSON of the body, names as on the wire; undefined where the body is empty.
   * @throws UnreadableAnswerError when it is no JSON
   */
  get body(): unknown {
    this.#parsed ??= { body: this.#text === "" ? undefined : this.#parse() };
    return this.#parsed.body;
  }

  /** The same answer for another caller, who gets objects of their own. */
  copy(): Answer {
    return new Answer(this.response, this.#text, this.#redact, this.#line);
  }

  /** The same answer with another body. */
  withBody(body: unknown): Answer {
    const answer = this.copy();
    answer.#parsed = { body };
    return answer;
  }

  /** The error of an answer that cannot be used. */
  unreadable(fault: string): Error {
    return unreadable(this.response, this.#redact(this.#text), fault, this.#line);
  }

  #parse(): unknown {
    try {
      return JSON.parse(this.#text);
    } catch {
      throw this.unreadable("is no whole JSON");
    }
  }
}
