import type { TextSink } from "../command.js";
import { printable } from "./text-form.js";

/** A line on a terminal that says what is waited for; nothing where there is no terminal. */
export interface Progress extends Disposable {
  show(text: string): void;
  /** Removes the line, before something else is written. */
  clear(): void;
}

const maxLength = 100;

/** Creates a line of progress on stderr. It appears after a moment, so that a quick answer shows none. */
export function createProgress(stderr: TextSink, afterMs = 400): Progress {
  if (stderr.isTTY !== true) {
    const nothing = (): void => undefined;
    return { show: nothing, clear: nothing, [Symbol.dispose]: nothing };
  }
  let text = "";
  let isShown = false;
  const draw = (): void => {
    if (text === "") return;
    stderr.write(`\r\u001B[K${text}`);
    isShown = true;
  };
  const clear = (): void => {
    if (isShown) stderr.write("\r\u001B[K");
    isShown = false;
  };
  const timer = setTimeout(draw, afterMs);
  timer.unref();
  return {
    show(next) {
      text = printable(next).replaceAll("\n", " ").slice(0, maxLength);
      if (isShown) draw();
    },
    clear,
    [Symbol.dispose]() {
      clearTimeout(timer);
      text = "";
      clear();
    },
  };
}
