import type { AgentEvent } from "@parley/a2a";
import type { TextSink } from "../command.js";
import { printable, textLine } from "../output/text-form.js";
import { partsText } from "./parts-text.js";
import { artifactLine, idLines, messageText, taskText } from "./task-text.js";

/** Shows the events of a task as they come. Text that grows is written as it grows. */
export class EventText {
  readonly #sink: TextSink;
  /** The artifact whose text is being written. */
  #open: string | undefined;
  #isNamed = false;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  show(event: AgentEvent): void {
    if (event.kind === "artifact") {
      this.#showArtifact(event);
      return;
    }
    this.end();
    if (event.kind === "message") this.#sink.write(messageText("Message", event.message));
    if (event.kind === "task") {
      this.#isNamed = true;
      this.#sink.write(taskText(event.task));
    }
    if (event.kind === "status") {
      const { taskId, contextId, status } = event;
      this.#sink.write(
        this.#isNamed ? textLine("State", status.state) : idLines(taskId, contextId, status.state),
      );
      this.#isNamed = true;
      if (status.message !== undefined) this.#sink.write(messageText("Message", status.message));
    }
  }

  /** Ends the block of text that is being written. */
  end(): void {
    if (this.#open !== undefined) this.#sink.write("\n\n");
    this.#open = undefined;
  }

  #showArtifact({ artifact, append = false }: Extract<AgentEvent, { kind: "artifact" }>): void {
    const { artifactId, parts } = artifact;
    const isText = parts.every(({ text }) => text !== undefined);
    if (!isText || !append || this.#open !== artifactId) {
      this.end();
      this.#sink.write(artifactLine(artifact));
      if (!isText) {
        this.#sink.write(partsText(parts));
        return;
      }
      this.#sink.write("Text:\n");
      this.#open = artifactId;
    }
    this.#sink.write(printable(parts.map(({ text = "" }) => text).join("")));
  }
}
