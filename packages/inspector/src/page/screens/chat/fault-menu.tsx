import type { ComponentChild } from "preact";
import type { Fault } from "../../../contract/index.js";
import { api } from "../../api/index.js";
import { announce } from "../../state/announce.js";
import { connection } from "../../state/connection.js";
import { Button, Icon, Menu } from "../../ui/index.js";

/** Breaks the stream under the client, to see that nothing is lost. */
export function FaultMenu(): ComponentChild {
  const cause = (fault: Fault, words: string): void => {
    const at = connection.peek();
    if (at === undefined) return;
    void api.post(`connections/${at.id}/fault`, fault).then(() => announce(words));
  };
  return (
    <>
      <Button
        testId="drop-connection"
        onClick={() => cause({ kind: "cut" }, "The connection is cut")}
      >
        <Icon name="cut" />
        Drop the connection
      </Button>
      <Menu
        label="Other faults"
        kind="quiet"
        items={[
          {
            label: "Cut after 5 more events",
            onChoose: () => cause({ kind: "cut", afterEvents: 5 }, "The connection will be cut"),
          },
          {
            label: "70 s of silence",
            onChoose: () => cause({ kind: "silence" }, "The connection is silent"),
          },
          {
            label: "Slow reader",
            onChoose: () => cause({ kind: "slow" }, "The client reads slowly"),
          },
          { label: "No faults", onChoose: () => cause({ kind: "none" }, "The stream goes on") },
        ]}
      />
    </>
  );
}
