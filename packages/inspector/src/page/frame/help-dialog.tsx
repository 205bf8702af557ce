import type { ComponentChild } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { activeShortcuts } from "../keyboard/shortcuts.js";
import { singleKeys } from "../state/settings.js";
import { Button, KeyHint } from "../ui/index.js";

/** The keys that work here, and the switch for single ones. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }): ComponentChild {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-label="Help" onClose={onClose}>
      <div class="pane-head">
        <h2>Keyboard</h2>
        <div class="push-right">
          <Button onClick={() => dialog.current?.close()}>Close</Button>
        </div>
      </div>
      <div class="pane-body stack">
        <label class="check">
          <input
            type="checkbox"
            checked={singleKeys.value === "on"}
            onChange={(event) => {
              singleKeys.value = event.currentTarget.checked ? "on" : "off";
            }}
          />
          Single keys are commands
        </label>
        <dl class="facts">
          {activeShortcuts().map(({ keys, does }) => (
            <>
              <dt>
                {keys.split(" ").map((key) => (
                  <KeyHint key={key} keys={key} />
                ))}
              </dt>
              <dd>{does}</dd>
            </>
          ))}
        </dl>
      </div>
    </dialog>
  );
}
