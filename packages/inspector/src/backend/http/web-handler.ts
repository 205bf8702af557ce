import type { Door } from "../session/door.js";
import type { OperatorCredentials } from "../session/find-operator.js";
import { failedAnswer, jsonAnswer } from "./answers.js";
import { checkHost, checkOrigin } from "./check-request.js";
import type { OwnNames } from "./check-request.js";
import { isObject, optionalText, readJson, textOf } from "./read-json.js";
import type { JsonBody } from "./read-json.js";
import { badField, Refusal } from "./refusal.js";
import { createRouter } from "./router.js";
import type { Routes } from "./router.js";
import { staticAnswer } from "./static-files.js";
import type { Previews } from "./previews.js";

export interface WebHandlerOptions {
  readonly names: () => OwnNames;
  readonly door: Door;
  readonly routes: Routes;
  readonly previews: Previews;
  /** Where the files of the page are; beside the backend when absent. */
  readonly pageFolder?: string;
  /** Is told of what should not happen. */
  readonly report: (error: unknown) => void;
}

/** The most of a body from somebody who is not let in yet. */
const maxSessionBytes = 16 * 1024;

/** Answers every request: the files of the page, the session, and the routes for whoever has one. Never rejects. */
export function createWebHandler(
  options: WebHandlerOptions,
): (request: Request) => Promise<Response> {
  const { door, previews, report, names } = options;
  const route = createRouter(options.routes);

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    checkHost(url, names());
    if (url.pathname.startsWith("/preview/")) return previews.take(request, url);
    if (!url.pathname.startsWith("/api/")) {
      if (request.method !== "GET" && request.method !== "HEAD") {
        throw new Refusal(405, "METHOD_NOT_FOUND", "the page is only read");
      }
      return staticAnswer(url, options.pageFolder);
    }
    checkOrigin(request, url);
    if (url.pathname === "/api/session" && request.method === "POST") {
      const body = await readJson(request, maxSessionBytes);
      const token = await door.exchange({
        code: textOf(body, "code", 200),
        key: optionalText(body, "key", 200),
        operator: operatorIn(body),
      });
      return jsonAnswer({ token });
    }
    const subject = door.check(request);
    const result = await route(request, url, subject);
    return result instanceof Response ? result : jsonAnswer(result);
  }

  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      const response = failedAnswer(error);
      if (response.status === 500) report(error);
      return response;
    }
  };
}

/** What an operator shows of itself, if anything. */
function operatorIn({ operator }: JsonBody): OperatorCredentials | undefined {
  if (operator === undefined) return undefined;
  if (!isObject(operator)) throw badField("operator", "has to have name and value");
  return { name: textOf(operator, "name", 200), value: textOf(operator, "value") };
}
