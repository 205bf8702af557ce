import type { Problem, Refused } from "../../contract/index.js";
import { ProblemError } from "./problem-error.js";
import { closeSession, sessionToken } from "./session.js";
import { readServerEvents } from "./sse.js";
import type { ServerEvent } from "./sse.js";

interface Options {
  readonly signal?: AbortSignal;
}

/** Calls of the backend. Paths are below `/api`: `tasks/7f3a/log?after=0`. Failures are `ProblemError`s. */
export const api = {
  async get<T>(path: string, options: Options = {}): Promise<T> {
    return readJson<T>(await call("GET", path, undefined, options));
  },

  /** What is no JSON: a recording. */
  async text(path: string, options: Options = {}): Promise<string> {
    return (await call("GET", path, undefined, options)).text();
  },

  async post<T>(path: string, body: unknown = {}, options: Options = {}): Promise<T> {
    return readJson<T>(await call("POST", path, body, options));
  },

  async delete(path: string, options: Options = {}): Promise<void> {
    await call("DELETE", path, undefined, options);
  },

  /** Opens a stream of server-sent events: a GET or, with a body, a POST. Resolves when the backend has taken the call. */
  async stream(
    path: string,
    body?: unknown,
    options: Options = {},
  ): Promise<AsyncGenerator<ServerEvent, void, undefined>> {
    const answer = await call(body === undefined ? "GET" : "POST", path, body, options);
    return eventsOf(answer);
  },
};

async function* eventsOf(answer: Response): AsyncGenerator<ServerEvent, void, undefined> {
  if (answer.body === null) return;
  try {
    yield* readServerEvents(answer.body);
  } catch (error) {
    throw unreachable(error);
  }
}

async function call(
  method: string,
  path: string,
  body: unknown,
  { signal }: Options,
): Promise<Response> {
  const token = sessionToken.peek();
  const answer = await fetch(new URL(`api/${path}`, document.baseURI), {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(method === "GET" ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (answer.ok) return answer;
  if (answer.status === 401) closeSession();
  throw new ProblemError(await readProblem(answer), answer.status);
}

async function readJson<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

async function readProblem(answer: Response): Promise<Problem> {
  const text = await answer.text().catch(() => "");
  try {
    const { error } = JSON.parse(text) as Refused;
    if (typeof error.message === "string") return error;
  } catch {
    // Not from the inspector's backend: the status has to do.
  }
  return {
    code: "INTERNAL",
    message: `the backend answered ${answer.status} ${answer.statusText}`,
  };
}

function unreachable(error: unknown): unknown {
  if (error instanceof ProblemError) return error;
  if (error instanceof DOMException && error.name === "AbortError") return error;
  return new ProblemError({
    code: "UNAVAILABLE",
    message: "the inspector's backend does not answer",
    hint: "Start it again with the command that printed the link. What you see is kept.",
  });
}
