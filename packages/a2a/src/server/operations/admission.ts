import { A2AError } from "../../protocol/internal.js";
import type { AgentCard, Message, Part } from "../../protocol/internal.js";
import { mediaTypeOf } from "../media-types.js";

/** Checks calls against what the agent's card declares. */
export interface Admission {
  /** Throws `UNSUPPORTED_OPERATION` when the agent does not stream. */
  checkStreaming(): void;
  /** Throws `CONTENT_TYPE_NOT_SUPPORTED` for a part with a media type that the agent does not accept. */
  checkMediaTypes(message: Message): void;
}

/** Creates the checks for an agent. It accepts what any of its skills accepts. */
export function createAdmission({ capabilities, defaultInputModes, skills }: AgentCard): Admission {
  const declared = [...defaultInputModes, ...skills.flatMap(({ inputModes = [] }) => inputModes)];
  const modes = new Set(declared.map(mediaTypeOf));
  const acceptsFiles = [...modes].some(
    (mode) => mode !== "text/plain" && mode !== "application/json",
  );

  function accepts(part: Part): boolean {
    const type = typeOf(part);
    // A file without a media type may be anything, so only an agent that accepts no files refuses it.
    if (type === undefined) return acceptsFiles;
    if (modes.has(type) || modes.has("*/*")) return true;
    return modes.has(`${type.split("/")[0]}/*`);
  }

  return {
    checkStreaming() {
      if (capabilities.streaming === true) return;
      const message = "this agent does not stream; use SendMessage and GetTask instead";
      throw new A2AError("UNSUPPORTED_OPERATION", message);
    },

    checkMediaTypes({ parts }) {
      const index = parts.findIndex((part) => !accepts(part));
      const refused = parts[index];
      if (refused === undefined) return;
      const type = typeOf(refused)?.slice(0, 64) ?? "a file without a media type";
      const message = `message.parts[${index}]: this agent accepts ${[...modes].join(", ")}, not ${type}`;
      throw new A2AError("CONTENT_TYPE_NOT_SUPPORTED", message, {
        details: { metadata: { part: String(index), mediaType: type } },
      });
    },
  };
}

function typeOf(part: Part): string | undefined {
  if (part.mediaType !== undefined && part.mediaType !== "") return mediaTypeOf(part.mediaType);
  if (part.text !== undefined) return "text/plain";
  return "data" in part ? "application/json" : undefined;
}
