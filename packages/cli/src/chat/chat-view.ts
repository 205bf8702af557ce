import type { AgentEvent, Message, Part } from "@parley/a2a";
import { textOf } from "@parley/a2a";
import type { CommandOutput } from "../command.js";
import { createProgress } from "../output/progress.js";
import { printable } from "../output/text-form.js";
import { partsText } from "../render/parts-text.js";
import { MarkdownLines } from "./markdown.js";

/** Shows the answers of an agent on a terminal, while they come. */
export class ChatView implements Disposable {
  readonly #output: CommandOutput;
  readonly #progress: ReturnType<typeof createProgress>;
  readonly #markdown = new MarkdownLines();
  readonly #shown = new Set<string>();
  /** The text of the line that is not complete. */
  #line = "";

  constructor(output: CommandOutput) {
    this.#output = output;
    this.#progress = createProgress(output.stderr);
    this.#progress.show("Waiting for the agent");
  }

  show(event: AgentEvent): void {
    this.#progress.clear();
    if (event.kind === "message") this.#showMessage(event.message);
    if (event.kind === "artifact") this.#showParts(event.artifact.parts);
    if (event.kind === "task") {
      for (const { parts } of event.task.artifacts ?? []) this.#showParts(parts);
    }
    if (event.kind === "artifact" || event.kind === "message") return;
    const { status } = event.kind === "task" ? event.task : event;
    const { state, message } = status;
    if (state === "TASK_STATE_WORKING" || state === "TASK_STATE_SUBMITTED") {
      const said = message === undefined ? "Working" : textOf(message);
      const done = event.progress === undefined ? "" : ` ${Math.round(event.progress * 100)} %`;
      this.#progress.show(`${said}${done}`);
      return;
    }
    this.end();
    if (message !== undefined) this.#showMessage(message);
    if (/FAILED|REJECTED|CANCELED/.test(state)) {
      this.#output.stdout.write(`[${state.slice("TASK_STATE_".length).toLowerCase()}]\n`);
    }
  }

  /** Ends the line that is being written. */
  end(): void {
    if (this.#line !== "") this.#output.stdout.write(`${this.#markdown.render(this.#line)}\n`);
    this.#line = "";
  }

  [Symbol.dispose](): void {
    this.#progress[Symbol.dispose]();
    this.end();
  }

  #showMessage(message: Message): void {
    if (this.#shown.has(message.messageId)) return;
    this.#shown.add(message.messageId);
    this.#showParts(message.parts);
    this.end();
  }

  #showParts(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.text === undefined) {
        this.end();
        this.#output.stdout.write(partsText([part]));
        continue;
      }
      const lines = (this.#line + printable(part.text)).split("\n");
      this.#line = lines.pop() ?? "";
      for (const line of lines) this.#output.stdout.write(`${this.#markdown.render(line)}\n`);
    }
  }
}
