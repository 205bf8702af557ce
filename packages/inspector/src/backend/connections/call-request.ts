import { operations } from "@parley/a2a";
import type { Operation, RequestOf } from "@parley/a2a";
import { codecs, Cursor } from "@parley/a2a/wire";
import type { CallRequest } from "../../contract/index.js";
import { optionalText, optionalTexts, textOf } from "../http/read-json.js";
import type { JsonBody } from "../http/read-json.js";
import { badField } from "../http/refusal.js";

/** Reads the body of a call. The request is read as a server of 1.0 reads it, so that errors name the field. */
export function parseCall(body: JsonBody): CallRequest {
  const operation = textOf(body, "operation") as Operation;
  if (!(operations as readonly string[]).includes(operation)) {
    throw badField("operation", `has to be one of ${operations.join(", ")}`);
  }
  const idempotencyKey = optionalText(body, "idempotencyKey");
  const serviceParameters = optionalTexts(body, "serviceParameters");
  const extensions = body["extensions"];
  const isList =
    extensions === undefined ||
    (Array.isArray(extensions) && extensions.every((one) => typeof one === "string"));
  if (!isList) throw badField("extensions", "has to be a list of texts");
  const request = codecs["1.0"].decodeRequest[operation](
    body["request"] ?? {},
    new Cursor({ at: ["request"] }),
  ) as RequestOf<Operation>;
  return {
    operation,
    request,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(serviceParameters !== undefined && { serviceParameters }),
    ...(extensions !== undefined && { extensions: extensions as readonly string[] }),
  } as CallRequest;
}
