import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { SessionRequest } from "../../contract/index.js";
import { exchange } from "../api/index.js";
import type { Asked } from "../api/index.js";
import { start } from "../start.js";
import { Button, EmptyState, Field } from "../ui/index.js";

/** Other machines reach this inspector: its key is asked for beside the code of the link. */
export function KeyForm({ asked }: { readonly asked: Asked }): ComponentChild {
  const [key, setKey] = useState("");
  const { shown } = asked;
  const enter = (): void => show({ ...shown, key });
  return (
    <EmptyState
      title="The key of this inspector"
      action={
        <div class="row">
          <Field
            label="Key"
            type="password"
            value={key}
            onInput={setKey}
            onEnter={enter}
            {...(shown.key === undefined ? {} : { error: "That is not the key" })}
          />
          <Button kind="filled" onClick={enter}>
            Enter
          </Button>
        </div>
      }
    >
      Other machines reach it, so it asks for its key beside the code of the link.
    </EmptyState>
  );
}

/** The server beside this inspector knows its callers: it is asked whether this person is one of its operators. */
export function OperatorForm({ asked }: { readonly asked: Asked }): ComponentChild {
  const { shown, problem } = asked;
  const [name, setName] = useState(shown.operator?.name ?? "Authorization");
  const [value, setValue] = useState("");
  const enter = (): void => show({ ...shown, operator: { name, value } });
  return (
    <EmptyState
      title="Who are you?"
      action={
        <div class="row">
          <Field label="Header" value={name} onInput={setName} mono />
          <Field
            label="Credentials of an operator"
            type="password"
            placeholder="Bearer …"
            value={value}
            onInput={setValue}
            onEnter={enter}
            {...(shown.operator === undefined ? {} : { error: problem.message })}
          />
          <Button kind="filled" onClick={enter}>
            Enter
          </Button>
        </div>
      }
    >
      {problem.hint ?? "Enter what an operator shows to the agents of this server."}
    </EmptyState>
  );
}

function show(shown: SessionRequest): void {
  void exchange(shown).then(async (isOpen) => {
    if (isOpen) await start();
  });
}
