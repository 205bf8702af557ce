import type { JsonObject } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useMemo, useState } from "preact/hooks";
import { formValue, schemaFields } from "../../../model/skills/skill-schema.js";
import type { SchemaField } from "../../../model/skills/skill-schema.js";
import { navigate } from "../../router/route.js";
import { send } from "../../state/conversations.js";
import { Button, Choice, Field } from "../../ui/index.js";

/** A form for what the card says a skill takes. It is checked against the schema before it is sent. */
export function SchemaForm({ schema }: { readonly schema: JsonObject }): ComponentChild {
  const fields = useMemo(() => schemaFields(schema), [schema]);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [problems, setProblems] = useState<readonly string[]>([]);
  const submit = async (): Promise<void> => {
    try {
      const value = formValue(fields, values);
      const { validate } = await import("./validate.js");
      const found = validate(schema, value);
      setProblems(found);
      if (found.length > 0) return;
      navigate(["chat"]);
      await send({ text: "", files: [], parts: [{ data: value }] });
    } catch {
      setProblems(["a field that takes JSON holds none"]);
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {fields.map((field) => (
        <SchemaInput
          key={field.name}
          field={field}
          value={values[field.name] ?? field.initial}
          onInput={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      {problems.length === 0 ? null : (
        <ul class="plain field-error" role="alert">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <div>
        <Button kind="filled" onClick={() => void submit()} testId="skill-send">
          Check and send
        </Button>
      </div>
    </form>
  );
}

function SchemaInput(props: {
  readonly field: SchemaField;
  readonly value: string;
  readonly onInput: (value: string) => void;
}): ComponentChild {
  const { field, value, onInput } = props;
  const label = field.isRequired ? `${field.title} (required)` : field.title;
  if (field.kind === "boolean" || field.kind === "choice") {
    const keys = field.kind === "boolean" ? ["true", "false"] : (field.choices ?? []);
    return (
      <Choice
        label={label}
        value={value}
        onChange={onInput}
        options={[{ key: "", label: "—" }, ...keys.map((key) => ({ key, label: key }))]}
      />
    );
  }
  return (
    <Field
      label={label}
      value={value}
      onInput={onInput}
      {...(field.note === undefined ? {} : { note: field.note })}
      {...(field.kind === "json" ? { rows: 3, mono: true } : {})}
    />
  );
}
