import type { ProtocolVersion } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { Binding, ConnectionRequest } from "../../../contract/index.js";
import { navigate, route } from "../../router/route.js";
import { capabilities } from "../../state/capabilities.js";
import { connection, connectionStatus, connectTo } from "../../state/connection.js";
import { Button, Choice, Field } from "../../ui/index.js";

type Forced<T extends string> = "" | T;

/** The address of an agent, and what the caller wants to force. */
export function ConnectForm(): ComponentChild {
  const able = capabilities.value;
  const named = route.value.query.get("url");
  const [url, setUrl] = useState(
    named ?? connection.value?.url ?? able?.url ?? able?.agents[0]?.url ?? "",
  );
  const [version, setVersion] = useState<Forced<ProtocolVersion>>("");
  const [binding, setBinding] = useState<Forced<Binding>>("");
  const [headers, setHeaders] = useState<readonly (readonly [string, string])[]>([]);
  const connect = (): void => {
    if (url.trim() === "") return;
    const given = Object.fromEntries(headers.filter(([name]) => name.trim() !== ""));
    const request: ConnectionRequest = {
      url: url.trim(),
      ...(version === "" ? {} : { version }),
      ...(binding === "" ? {} : { binding }),
      ...(Object.keys(given).length === 0 ? {} : { headers: given }),
    };
    void connectTo(request).then((opened) => {
      if (opened !== undefined) navigate(["connect"], { url: opened.url });
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        connect();
      }}
    >
      <div class="connect-line">
        {able?.canConnect === false ? (
          <Choice
            label="Agent"
            value={url}
            onChange={setUrl}
            options={able.agents.map((agent) => ({
              key: agent.url ?? agent.path,
              label: `${agent.name} at ${agent.path}`,
            }))}
          />
        ) : (
          <Field
            label="Address of the agent, or of its card"
            type="url"
            value={url}
            onInput={setUrl}
            placeholder="https://agent.example"
            mono
            search
            testId="agent-url"
          />
        )}
        <button
          type="submit"
          class="button"
          data-kind="filled"
          data-testid="connect"
          disabled={connectionStatus.value === "connecting"}
        >
          {connection.value === undefined ? "Connect" : "Connect again"}
        </button>
      </div>
      <details>
        <summary class="label">Version, binding, headers</summary>
        <div class="connect-more">
          <Choice
            label="Version"
            value={version}
            onChange={setVersion}
            options={[
              { key: "", label: "As the client chooses" },
              ...(able?.versions ?? []).map((key) => ({ key, label: key })),
            ]}
          />
          <Choice
            label="Binding"
            value={binding}
            onChange={setBinding}
            options={[
              { key: "", label: "As the client chooses" },
              { key: "JSONRPC", label: "JSON-RPC" },
              { key: "HTTP+JSON", label: "HTTP+JSON" },
              { key: "GRPC", label: "gRPC" },
            ]}
          />
        </div>
        <fieldset class="plain-set stack-tight">
          <legend class="field-label">Headers of every request</legend>
          {headers.map(([name, value], index) => (
            <div key={index} class="header-row">
              <input
                class="input mono"
                aria-label={`Name of header ${index + 1}`}
                placeholder="X-Name"
                value={name}
                onInput={(event) =>
                  setHeaders(headers.with(index, [event.currentTarget.value, value]))
                }
              />
              <input
                class="input mono"
                aria-label={`Value of header ${index + 1}`}
                value={value}
                onInput={(event) =>
                  setHeaders(headers.with(index, [name, event.currentTarget.value]))
                }
              />
              <Button
                kind="quiet"
                label={`Remove header ${index + 1}`}
                onClick={() => setHeaders(headers.toSpliced(index, 1))}
              >
                Remove
              </Button>
            </div>
          ))}
          <div>
            <Button onClick={() => setHeaders([...headers, ["", ""]])}>Add a header</Button>
          </div>
        </fieldset>
      </details>
    </form>
  );
}
