const called: (() => void)[] = [];

/** Answers all calls that one turn of the event loop has brought side by side, step by step, as over HTTP. */
export function together(answer: () => void): void {
  if (called.push(answer) > 1) return;
  setImmediate(() => {
    for (const next of called.splice(0)) next();
  });
}
