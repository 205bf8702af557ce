import type { SecurityScheme } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { Connection, SecretInput } from "../../../contract/index.js";
import { connectTo } from "../../state/connection.js";
import { Button, Chip, Choice, Field, Panel, VisibleName } from "../../ui/index.js";

/** Secrets for the schemes of the card. They go to the backend and never come back. */
export function CredentialsPanel({
  connection,
}: {
  readonly connection: Connection;
}): ComponentChild {
  const schemes = Object.entries(connection.card.securitySchemes ?? {});
  const [kinds, setKinds] = useState<Readonly<Record<string, "value" | "env">>>({});
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const save = (): void => {
    const secrets: Record<string, SecretInput> = {};
    for (const [name, value] of Object.entries(values)) {
      if (value !== "") secrets[name] = kinds[name] === "env" ? { env: value } : { value };
    }
    setValues({});
    void connectTo({ url: connection.url, secrets });
  };
  return (
    <Panel title="Credentials">
      {schemes.length === 0 ? (
        <p class="soft">The card asks for none.</p>
      ) : (
        <div class="stack">
          {schemes.slice(0, 20).map(([name, scheme]) => {
            const kind = kinds[name] ?? "value";
            return (
              <div key={name} class="stack-tight">
                <div class="row">
                  <span class="strong">
                    <VisibleName name={name} />
                  </span>
                  <span class="soft">{describe(scheme)}</span>
                  {connection.secrets.includes(name) ? (
                    <Chip tone="done">The backend has it</Chip>
                  ) : null}
                </div>
                <div class="connect-line">
                  <Field
                    label={
                      kind === "env" ? `Environment variable for ${name}` : `Secret for ${name}`
                    }
                    type={kind === "env" ? "text" : "password"}
                    value={values[name] ?? ""}
                    onInput={(value) => setValues({ ...values, [name]: value })}
                    placeholder={kind === "env" ? "TRAVEL_TOKEN" : ""}
                    mono
                  />
                  <Choice
                    label="Comes from"
                    value={kind}
                    onChange={(value) => setKinds({ ...kinds, [name]: value })}
                    options={[
                      { key: "value", label: "this form" },
                      { key: "env", label: "the backend's environment" },
                    ]}
                  />
                </div>
              </div>
            );
          })}
          <div>
            <Button onClick={save} disabled={Object.values(values).every((value) => value === "")}>
              Connect with these
            </Button>
          </div>
          <p class="soft">
            The backend keeps them in memory, and shows them to nobody: neither here, nor in hops or
            files.
          </p>
        </div>
      )}
    </Panel>
  );
}

function describe(scheme: SecurityScheme): string {
  if (scheme.apiKeySecurityScheme !== undefined) {
    const { location, name } = scheme.apiKeySecurityScheme;
    return `API key in the ${location} ${name}`;
  }
  if (scheme.httpAuthSecurityScheme !== undefined) {
    return `HTTP ${scheme.httpAuthSecurityScheme.scheme}`;
  }
  if (scheme.oauth2SecurityScheme !== undefined) {
    return `OAuth 2.0, ${Object.keys(scheme.oauth2SecurityScheme.flows).join(", ")}: an access token`;
  }
  if (scheme.openIdConnectSecurityScheme !== undefined) return "OpenID Connect: an access token";
  return "a client certificate";
}
