import type { AgentCard, JsonValue } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Connection } from "../../../contract/index.js";
import { href } from "../../router/route.js";
import { Chip, JsonView, Panel, SafeLink, Tabs, VisibleName } from "../../ui/index.js";

/** The card, for people and as it was served. */
export function CardPanel({ connection }: { readonly connection: Connection }): ComponentChild {
  const [view, setView] = useState<"read" | "json">("read");
  const served = useMemo(() => parse(connection.cardText), [connection.cardText]);
  return (
    <Panel
      title="Agent card"
      tools={
        <Tabs
          label="Show the card"
          tabs={[
            { key: "read", label: "Readable" },
            { key: "json", label: "JSON" },
          ]}
          selected={view}
          onSelect={setView}
        />
      }
    >
      {view === "read" ? (
        <Readable card={connection.card} cardUrl={connection.cardUrl} />
      ) : served === undefined ? (
        <pre class="code" data-wrap>
          {connection.cardText}
        </pre>
      ) : (
        <JsonView value={served} label="The card as it was served" foldBelow={5} />
      )}
    </Panel>
  );
}

function Readable({
  card,
  cardUrl,
}: {
  readonly card: AgentCard;
  readonly cardUrl: string;
}): ComponentChild {
  const { capabilities } = card;
  return (
    <div class="stack">
      <div class="card-head">
        <div class="row">
          <h3>
            <VisibleName name={card.name} />
          </h3>
          <span class="soft mono">{card.version}</span>
        </div>
        <p class="card-text">{card.description}</p>
        <div class="row">
          <Ability has={capabilities.streaming} name="Streaming" />
          <Ability has={capabilities.pushNotifications} name="Push notifications" />
          <Ability has={capabilities.extendedAgentCard} name="Extended card" />
        </div>
      </div>
      <dl class="facts">
        <dt>Card</dt>
        <dd class="mono">{cardUrl}</dd>
        {card.provider === undefined ? null : (
          <>
            <dt>Provider</dt>
            <dd>
              <SafeLink url={card.provider.url}>
                <VisibleName name={card.provider.organization} />
              </SafeLink>
            </dd>
          </>
        )}
        {card.documentationUrl === undefined ? null : (
          <>
            <dt>Documentation</dt>
            <dd>
              <SafeLink url={card.documentationUrl}>{card.documentationUrl}</SafeLink>
            </dd>
          </>
        )}
        <dt>Takes</dt>
        <dd class="mono">{card.defaultInputModes.join(", ")}</dd>
        <dt>Gives</dt>
        <dd class="mono">{card.defaultOutputModes.join(", ")}</dd>
        <dt>Extensions</dt>
        <dd>
          {(capabilities.extensions ?? []).length === 0
            ? "none"
            : capabilities.extensions?.map(({ uri, description, required }) => (
                <div key={uri}>
                  <code>{uri}</code>{" "}
                  {required === true ? <Chip tone="waiting">required</Chip> : null}
                  {description === undefined ? null : <span class="soft"> {description}</span>}
                </div>
              ))}
        </dd>
        <dt>Skills</dt>
        <dd>
          <div class="row">
            {card.skills.slice(0, 60).map(({ id, name, description }) => (
              <a
                key={id}
                class="chip"
                data-tone="accent"
                href={href(["skills", id])}
                title={description}
              >
                <VisibleName name={name} />
              </a>
            ))}
            {card.skills.length > 60 ? (
              <span class="soft">and {card.skills.length - 60} more</span>
            ) : null}
          </div>
        </dd>
      </dl>
    </div>
  );
}

function Ability({
  has,
  name,
}: {
  readonly has: boolean | undefined;
  readonly name: string;
}): ComponentChild {
  return has === true ? (
    <Chip tone="done">{name}</Chip>
  ) : (
    <Chip tone="neutral" shape="ring">
      No {name.toLowerCase()}
    </Chip>
  );
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
