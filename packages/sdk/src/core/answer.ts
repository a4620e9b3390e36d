/** One answer: its head, and its body as text that is parsed at most once, or left unread. */
import { unreadable } from "./error-from.ts";
import type { Redact } from "./settings.ts";

/** An answer of the service. */
export class Answer {
  /** The head. */
  readonly response: Response;
  readonly #text: string | null;
  readonly #redact: Redact;
  readonly #line: string;
  #parsed: { readonly body: unknown } | undefined;

  /**
   * @param response the head
   * @param text the body, empty when there is none, null when it is left unread
   * @param redact applied to excerpts of the body in errors
   * @param line method and path of the request, for errors
   */
  constructor(response: Response, text: string | null, redact: Redact, line: string) {
    this.response = response;
    this.#text = text;
    this.#redact = redact;
    this.#line = line;
  }

  /** The length of the body, in characters. */
  get length(): number {
    return this.#text?.length ?? 0;
  }

  /** The response with its body unread; if it was read already, a new one with the same head and body. */
  asResponse(): Response {
    if (this.#text === null) return this.response;
    const { status, statusText, headers } = this.response;
    return new Response(this.#text === "" ? null : this.#text, { status, statusText, headers });
  }

  /**
   * The body parsed as JSON, with wire names; the text of a receipt; undefined when the body is empty.
   * @throws UnreadableAnswerError when it is not JSON; TypeError when it was left unread
   */
  get body(): unknown {
    if (this.#text === null) throw new TypeError("The body was left unread for asResponse()");
    this.#parsed ??= { body: this.#text === "" ? undefined : this.#parse(this.#text) };
    return this.#parsed.body;
  }

  /** The same answer for another caller, who gets separate objects. */
  copy(): Answer {
    return new Answer(this.response, this.#text, this.#redact, this.#line);
  }

  /** The same answer with another body. */
  withBody(body: unknown): Answer {
    const answer = this.copy();
    answer.#parsed = { body };
    return answer;
  }

  /** The error for an answer that cannot be used. */
  unreadable(fault: string): Error {
    return unreadable(this.response, this.#redact(this.#text ?? ""), this.#redact(fault), this.#line);
  }

  #parse(text: string): unknown {
    if (this.response.headers.get("content-type")?.startsWith("application/jose")) return text;
    try {
      return JSON.parse(text);
    } catch {
      throw this.unreadable("is not complete JSON");
    }
  }
}
