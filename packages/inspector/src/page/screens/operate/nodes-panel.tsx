import type { ComponentChild } from "preact";
import type { Overview } from "../../../contract/index.js";
import { formatDuration, shortId } from "../../../model/index.js";
import { api } from "../../api/index.js";
import { Chip, Panel, VisibleName } from "../../ui/index.js";
import { ConfirmButton } from "./confirm-button.js";

/** The processes that run agents over this store, and their leases. */
export function NodesPanel(props: {
  readonly overview: Overview;
  readonly canOperate: boolean;
  readonly act: (work: Promise<unknown>) => void;
}): ComponentChild {
  const { overview, canOperate, act } = props;
  const tools = canOperate ? (
    <th scope="col">
      <span class="unseen">Actions</span>
    </th>
  ) : null;
  return (
    <Panel title="Nodes" tools={<span class="soft">{overview.nodes.length}</span>} flush>
      {overview.nodes.length === 0 ? (
        <p class="panel-note">No node has, or had within a day, a lease in this store.</p>
      ) : (
        <div class="table-box" tabIndex={0} role="group" aria-label="Nodes">
          <table class="table task-table">
            <thead>
              <tr>
                <th scope="col">Lease</th>
                <th scope="col">Node</th>
                <th scope="col">Agent</th>
                <th scope="col">Revision</th>
                <th scope="col">Address</th>
                <th scope="col" class="number">
                  Lease left
                </th>
                {tools}
              </tr>
            </thead>
            <tbody>
              {overview.nodes.map((node) => {
                const isLive = node.leaseLeftMs > 0;
                return (
                  <tr
                    key={node.node}
                    data-testid="node"
                    data-lease={isLive ? "live" : "over"}
                    data-node={node.node}
                  >
                    <td>
                      <span class="row">
                        <Chip tone={isLive ? "done" : "failed"}>{isLive ? "Live" : "Over"}</Chip>
                        {node.isDraining ? <Chip tone="waiting">Draining</Chip> : null}
                        {node.isUnheard === true ? (
                          <Chip
                            tone="waiting"
                            title="Its wake-ups reach nobody: it has no bus, or is cut off from it."
                          >
                            Unheard
                          </Chip>
                        ) : null}
                      </span>
                    </td>
                    <td>
                      <code title={node.node}>{shortId(node.node)}</code>
                    </td>
                    <td class="cut">
                      <VisibleName name={node.agent} />
                    </td>
                    <td class="soft">
                      {node.revision === "" ? "" : `${node.revision}, `}Parley {node.version}
                    </td>
                    <td class="soft">{node.address ?? ""}</td>
                    <td class="number">{isLive ? formatDuration(node.leaseLeftMs) : ""}</td>
                    {canOperate ? (
                      <td class="table-tools">
                        <ConfirmButton
                          label="End lease"
                          confirm="It is dead: hand its tasks over"
                          testId="release"
                          onConfirm={() =>
                            act(api.post(`nodes/${encodeURIComponent(node.node)}/release`))
                          }
                        />
                      </td>
                    ) : null}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
