import process from "node:process";

/**
 * Holds back the writes of runs on their way to the store, as a network may, from when the process that started this one says
 * `{ holds: true }` until it says `{ holds: false }`, and tells it of each task whose write waits.
 */
export function holdWrites(store) {
  let gate;
  process.on("message", ({ holds }) => {
    gate?.open();
    gate = undefined;
    if (holds === true) {
      let open;
      const opened = new Promise((resolve) => (open = resolve));
      gate = { open, opened };
    }
  });
  return new Proxy(store, {
    get(target, member) {
      const value = Reflect.get(target, member, target);
      if (member !== "append") return typeof value === "function" ? value.bind(target) : value;
      return async (append) => {
        // What others add at the end is no write of a run, and a task that is not stored has no other holder.
        if (gate !== undefined && append.expectedSequence > 0) {
          process.send({ held: append.taskId });
          await gate.opened;
        }
        return target.append(append);
      };
    },
  });
}
