import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import { allHops, hopsVersion } from "../state/hops.js";
import { Button, EmptyState, Icon } from "../ui/index.js";
import { CopyMenu } from "./copy-menu.js";
import { EditRequest } from "./edit-request.js";
import { HopList } from "./hop-list.js";
import { HopView } from "./hop-view.js";
import { isWireWide, selectedHop } from "./selected-hop.js";

/** What was on the wire: the hops, and each as it was sent and in the other dialects. */
export function WirePane(): ComponentChild {
  void hopsVersion.value;
  const hop = selectedHop.value;
  const hops = allHops();
  const [editing, setEditing] = useState<number>();
  const isWide = isWireWide.value;
  const isEditing = hop !== undefined && editing === hop.summary.id && hop.whole !== undefined;
  return (
    <section class="wire" aria-label="Wire" data-wide={isWide ? "" : undefined}>
      <div class="pane-head">
        <h2>Wire</h2>
        {hop === undefined ? null : (
          <span class="soft cut">
            hop {hops.indexOf(hop) + 1} of {hops.length}
          </span>
        )}
        <div class="toolbar push-right">
          <Button
            kind="quiet"
            shape="icon"
            pressed={isWide}
            testId="wire-wide"
            label={isWide ? "Show one column" : "Show all columns side by side"}
            onClick={() => {
              isWireWide.value = !isWide;
            }}
          >
            <Icon name={isWide ? "narrow" : "widen"} />
          </Button>
          {hop?.whole === undefined ? null : (
            <>
              <CopyMenu hop={hop.whole} />
              {hop.whole.connection === undefined ? null : (
                <Button
                  pressed={isEditing}
                  testId="edit"
                  onClick={() => setEditing(isEditing ? undefined : hop.summary.id)}
                >
                  Edit
                </Button>
              )}
            </>
          )}
        </div>
      </div>
      {hop === undefined ? (
        <EmptyState title="Nothing was sent yet">
          Each request and its answer appear here as they are on the wire.
        </EmptyState>
      ) : (
        <>
          <HopList hops={hops} selected={hop.summary.id} />
          {isEditing && hop.whole !== undefined ? (
            <EditRequest hop={hop.whole} onDone={() => setEditing(undefined)} />
          ) : (
            <HopView key={hop.summary.id} known={hop} isWide={isWide} />
          )}
        </>
      )}
    </section>
  );
}
