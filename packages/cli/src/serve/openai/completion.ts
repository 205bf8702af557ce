import { BackendFailure } from "../backend-agent.js";

/** What is read of a chunk of a completion, or of a whole one. */
interface Document {
  readonly error?: { readonly message?: unknown } | string | null;
  readonly choices?: readonly {
    readonly delta?: { readonly content?: unknown } | null;
    readonly message?: { readonly content?: unknown } | null;
    readonly finish_reason?: unknown;
  }[];
}

/** A model's answer as it comes: the text of each document, and whether there was an end. */
export class Completion {
  /** What a stream ends with. */
  static readonly done = "[DONE]";

  #isDone = false;
  #finishReason: string | undefined;

  /** The text that a document adds to the answer. */
  add(json: string): string {
    if (json === Completion.done) {
      this.#isDone = true;
      return "";
    }
    const { error, choices } = parse(json);
    if (error !== undefined && error !== null) throw failed(error);
    const [choice] = choices ?? [];
    if (typeof choice?.finish_reason === "string") this.#finishReason = choice.finish_reason;
    const { content } = choice?.delta ?? choice?.message ?? {};
    return typeof content === "string" ? content : "";
  }

  /** Throws if the answer has no end. Returns what an operator may want to know. */
  finish(): string | undefined {
    if (!this.#isDone && this.#finishReason === undefined) {
      throw new BackendFailure("the model's answer was cut off before its end", {
        code: "BACKEND_CUT_OFF",
      });
    }
    if (this.#finishReason === "content_filter") {
      throw new BackendFailure("the model's endpoint withheld the answer: its filter refused it", {
        code: "CONTENT_FILTERED",
      });
    }
    return this.#finishReason === "length"
      ? "the model reached its longest answer; the task has only the beginning"
      : undefined;
  }
}

function parse(json: string): Document {
  try {
    const document: unknown = JSON.parse(json);
    if (typeof document === "object" && document !== null) return document;
  } catch {
    // As for any other value that is none.
  }
  throw new BackendFailure("the model's endpoint answered with something that is not JSON", {
    code: "INVALID_ANSWER",
    cause: new Error(`the endpoint wrote ${json.slice(0, 200)}`),
  });
}

function failed(error: NonNullable<Document["error"]>): BackendFailure {
  const message = typeof error === "string" ? error : error.message;
  const said = typeof message === "string" ? `: ${message}` : "";
  return new BackendFailure(`the model failed in the middle of its answer${said}`, {
    code: "MODEL_FAILED",
  });
}
