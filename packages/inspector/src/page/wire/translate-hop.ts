import { A2AError } from "@parley/a2a";
import type { Frame, Hop } from "../../contract/index.js";
import { readFrame, readRequest, readResponse } from "../../model/translate/read-hop.js";
import { translateAnswer, translateRequest } from "../../model/translate/translate.js";
import type { Column } from "../../model/translate/columns.js";
import type { Translation } from "../../model/translate/translate.js";

/** How a part of a hop is said in a column. What is not of A2A has a reason in place of a document. */
export function translateHop(
  hop: Hop,
  subject: "request" | "response" | "frame",
  frame: Frame | undefined,
): (column: Column) => Translation {
  try {
    const read = readRequest(hop);
    if (subject === "request") return (column) => translateRequest(read, column);
    const answer =
      subject === "response" ? readResponse(hop, read) : frame && readFrame(frame, read);
    if (answer === undefined) return (column) => reason(column, "A heartbeat says nothing.");
    return (column) => translateAnswer(answer, read, column);
  } catch (error) {
    const message = A2AError.is(error) ? error.message : "It is no message of A2A.";
    return (column) => reason(column, message);
  }
}

function reason(column: Column, text: string): Translation {
  return { column, lost: new Set(), losses: [], reasons: [text] };
}
