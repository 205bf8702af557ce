import type { AgentSkill } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import { skillSchema } from "../../../model/skills/skill-schema.js";
import { href, navigate, route } from "../../router/route.js";
import { connection } from "../../state/connection.js";
import { send } from "../../state/conversations.js";
import { Button, Chip, EmptyState, Field, KeyHint, PaneHead, VisibleName } from "../../ui/index.js";
import { SchemaForm } from "./schema-form.js";
import "./skills.css";

/** What the agent can do, each to be tried. */
export function Screen(): ComponentChild {
  const at = connection.value;
  const id = route.value.path[1];
  const [filter, setFilter] = useState("");
  const skills = at?.card.skills ?? [];
  const words = filter.trim().toLowerCase();
  const found = skills.filter(({ name, description, tags }) =>
    [name, description, ...tags].some((text) => text.toLowerCase().includes(words)),
  );
  const skill = skills.find((one) => one.id === id) ?? found[0];
  if (at === undefined || skill === undefined) {
    return (
      <>
        <PaneHead title="Skills" />
        <EmptyState
          title={at === undefined ? "No agent yet" : "The card names no such skill"}
          action={<Button onClick={() => navigate(["connect"])}>Connect to an agent</Button>}
        />
      </>
    );
  }
  return (
    <>
      <PaneHead title="Skills">
        <span class="soft">{skills.length}</span>
      </PaneHead>
      <div class="skills">
        <div class="skill-list">
          <Field label="Find a skill" value={filter} onInput={setFilter} search />
          <ul class="plain">
            {found.slice(0, 200).map((one) => (
              <li key={one.id}>
                <a
                  class="skill-link"
                  href={href(["skills", one.id])}
                  data-testid="skill"
                  data-skill-id={one.id}
                  aria-current={one.id === skill.id ? "true" : undefined}
                >
                  <span class="strong cut">
                    <VisibleName name={one.name} />
                  </span>
                  <span class="soft cut">{one.description}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
        <SkillView key={skill.id} skill={skill} />
      </div>
    </>
  );
}

function SkillView({ skill }: { readonly skill: AgentSkill }): ComponentChild {
  const at = connection.value;
  const [text, setText] = useState("");
  if (at === undefined) return null;
  const schema = skillSchema(at.card, skill.id);
  const go = (): void => {
    if (text === "") return;
    navigate(["chat"]);
    void send({ text, files: [] });
  };
  return (
    <section class="skill stack" aria-label={`Skill ${skill.name}`}>
      <div class="stack-tight">
        <h3 class="skill-name">
          <VisibleName name={skill.name} />
        </h3>
        <p class="card-text">{skill.description}</p>
        <div class="row">
          {skill.tags.slice(0, 20).map((tag) => (
            <Chip key={tag} tone="neutral" plain>
              <VisibleName name={tag} />
            </Chip>
          ))}
        </div>
      </div>
      {skill.examples === undefined || skill.examples.length === 0 ? null : (
        <div class="stack-tight">
          <h4>Examples</h4>
          <div class="row">
            {skill.examples.slice(0, 20).map((example) => (
              <Button key={example} onClick={() => setText(example)} testId="example">
                {example.length > 120 ? `${example.slice(0, 120)}…` : example}
              </Button>
            ))}
          </div>
        </div>
      )}
      {schema === undefined ? (
        <form
          class="stack-tight"
          onSubmit={(event) => {
            event.preventDefault();
            go();
          }}
        >
          <Field
            label="Message"
            value={text}
            onInput={setText}
            onEnter={go}
            rows={4}
            testId="skill-text"
          />
          <div>
            <Button kind="filled" onClick={go} disabled={text === ""} testId="skill-send">
              Send
              <KeyHint keys="Ctrl+Enter" />
            </Button>
          </div>
        </form>
      ) : (
        <SchemaForm schema={schema} />
      )}
      <dl class="facts">
        <dt>Id</dt>
        <dd class="mono">{skill.id}</dd>
        <dt>Takes</dt>
        <dd class="mono">{(skill.inputModes ?? at.card.defaultInputModes).join(", ")}</dd>
        <dt>Gives</dt>
        <dd class="mono">{(skill.outputModes ?? at.card.defaultOutputModes).join(", ")}</dd>
      </dl>
    </section>
  );
}
