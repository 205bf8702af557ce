import { A2AError } from "../../protocol/internal.js";
import type { AgentCard, Message, Part } from "../../protocol/internal.js";

/** What an agent's card promises to take in, held up against what comes. */
export interface Admission {
  /** Throws `UNSUPPORTED_OPERATION` where the agent does not offer streams. */
  checkStreaming(): void;
  /** Throws `CONTENT_TYPE_NOT_SUPPORTED` for a part in a media type that the agent does not take. */
  checkMediaTypes(message: Message): void;
}

/** Modes that are not media types but are written in cards all the same. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["text", "text/plain"],
  ["data", "application/json"],
  ["json", "application/json"],
  ["*", "*/*"],
]);

/** The admission to an agent: what one of its skills takes, the agent takes. */
export function createAdmission({ capabilities, defaultInputModes, skills }: AgentCard): Admission {
  const declared = [...defaultInputModes, ...skills.flatMap(({ inputModes = [] }) => inputModes)];
  const modes = new Set(declared.map(normalize));
  const takesFiles = [...modes].some(
    (mode) => mode !== "text/plain" && mode !== "application/json",
  );

  function takes(part: Part): boolean {
    const type = typeOf(part);
    // A file that does not say what it is may be anything; only who takes no files is sure not to take it.
    if (type === undefined) return takesFiles;
    if (modes.has(type) || modes.has("*/*")) return true;
    return modes.has(`${type.split("/")[0]}/*`);
  }

  return {
    checkStreaming() {
      if (capabilities.streaming === true) return;
      const message = "this agent does not stream; send the message and get its task";
      throw new A2AError("UNSUPPORTED_OPERATION", message);
    },

    checkMediaTypes({ parts }) {
      const index = parts.findIndex((part) => !takes(part));
      const refused = parts[index];
      if (refused === undefined) return;
      const type = typeOf(refused)?.slice(0, 64) ?? "a file without a media type";
      const message = `message.parts[${index}]: this agent takes ${[...modes].join(", ")}, not ${type}`;
      throw new A2AError("CONTENT_TYPE_NOT_SUPPORTED", message, {
        details: { metadata: { part: String(index), mediaType: type } },
      });
    },
  };
}

function typeOf(part: Part): string | undefined {
  if (part.mediaType !== undefined && part.mediaType !== "") return normalize(part.mediaType);
  if (part.text !== undefined) return "text/plain";
  return "data" in part ? "application/json" : undefined;
}

/** Names of media types have no case, and parameters such as a charset make no other type of one. */
function normalize(mode: string): string {
  const [name = ""] = mode.toLowerCase().split(";");
  return aliases.get(name.trim()) ?? name.trim();
}
