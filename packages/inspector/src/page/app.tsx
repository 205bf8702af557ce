import { signal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { askedAtDoor, backendStatus, sessionToken } from "./api/index.js";
import { KeyForm, OperatorForm } from "./frame/door-forms.js";
import { HelpDialog } from "./frame/help-dialog.js";
import { Navigation } from "./frame/navigation.js";
import { ScreenHost } from "./frame/screen-host.js";
import { TopBar } from "./frame/top-bar.js";
import { useShortcuts } from "./keyboard/shortcuts.js";
import type { Shortcut } from "./keyboard/shortcuts.js";
import { navigate, route } from "./router/route.js";
import { screens } from "./screens/registry.js";
import { announcement } from "./state/announce.js";
import { capabilities, startProblem } from "./state/capabilities.js";
import { connection } from "./state/connection.js";
import { EmptyState, ErrorBox, Skeleton } from "./ui/index.js";
import { WirePane } from "./wire/wire-pane.js";

/** Which pane is shown where there is room for one. */
type Pane = "nav" | "main" | "wire";

/** Whether the wire pane is open, by the screens that have one. */
const isWireOpen = signal(true);

/** The frame: top bar, navigation, the screen, the wire. */
export function App(): ComponentChild {
  const [pane, setPane] = useState<Pane>("main");
  const [isHelpOpen, setHelpOpen] = useState(false);
  const able = capabilities.value;
  const at = route.value.path[0] ?? "connect";
  // A recording is opened without a backend.
  const here = screens.filter((screen) =>
    able === undefined ? screen.route === "file" : screen.isThere(able),
  );
  const entry =
    here.find((screen) => screen.route === at) ?? (able === undefined ? undefined : here[0]);
  const hasWire = entry?.hasWire === true && isWireOpen.value;
  useEffect(() => {
    document.title = `${entry?.title ?? "Inspector"} · ${connection.value?.card.name ?? "Parley"}`;
  });
  const shortcuts = useMemo<readonly Shortcut[]>(
    () => [
      { keys: "/", does: "Search", run: focusSearch },
      { keys: "?", does: "This help", run: () => setHelpOpen(true) },
      {
        keys: "w",
        does: "Show or hide the wire",
        run: () => {
          isWireOpen.value = !isWireOpen.value;
          setPane((before) => (before === "wire" ? "main" : "wire"));
        },
      },
      ...screens.map(({ route: path, title, letter }) => ({
        keys: `g ${letter}`,
        does: `Go to ${title}`,
        run: () => {
          navigate([path]);
          setPane("main");
        },
      })),
    ],
    [],
  );
  useShortcuts(shortcuts);
  return (
    <div class="frame" data-pane={pane === "wire" && !hasWire ? "main" : pane}>
      <TopBar
        title={entry?.title ?? "Parley inspector"}
        onSearch={focusSearch}
        onHelp={() => setHelpOpen(true)}
      />
      <BackendBanner />
      <Navigation onGo={() => setPane("main")} />
      <main class="panes-of-main">
        <div class="main" tabIndex={-1}>
          {entry === undefined ? (
            <>
              <h2 class="unseen">Start</h2>
              <Start />
            </>
          ) : (
            <ScreenHost entry={entry} />
          )}
        </div>
        {hasWire ? <WirePane /> : null}
      </main>
      <nav class="panes" aria-label="Panes">
        {(hasWire ? (["nav", "main", "wire"] as const) : (["nav", "main"] as const)).map((name) => (
          <button
            key={name}
            type="button"
            class="pane-tab"
            aria-pressed={pane === name}
            onClick={() => setPane(name)}
          >
            {{ nav: "Screens", main: entry?.title ?? "Start", wire: "Wire" }[name]}
          </button>
        ))}
      </nav>
      <div class="unseen" role="status" data-testid="announcement">
        {announcement.value}
      </div>
      {isHelpOpen ? <HelpDialog onClose={() => setHelpOpen(false)} /> : null}
    </div>
  );
}

/** The backend is gone: what is shown stays. */
function BackendBanner(): ComponentChild {
  const status = backendStatus.value;
  const isLost = status === "lost";
  return (
    <div
      class={isLost ? "banner" : "unseen"}
      data-testid="backend"
      data-status={status}
      role="status"
    >
      {isLost
        ? "The inspector's backend does not answer. What you see is kept, and it goes on when the backend is back."
        : ""}
    </div>
  );
}

/** Before the backend has said what it can do. */
function Start(): ComponentChild {
  const asked = askedAtDoor.value;
  if (asked?.needs === "key") return <KeyForm asked={asked} />;
  if (asked?.needs === "operator") return <OperatorForm asked={asked} />;
  if (sessionToken.value === undefined && startProblem.value === undefined) {
    return (
      <EmptyState title="Open the link that was printed" command="parley inspect URL">
        The inspector lets nobody in without the one-time code of its link. Each start prints a new
        one. A saved recording needs no link.
      </EmptyState>
    );
  }
  if (startProblem.value !== undefined) return <ErrorBox problem={startProblem.value} />;
  return <Skeleton label="Loading the inspector" />;
}

function focusSearch(): void {
  document.querySelector<HTMLElement>("[data-search]")?.focus();
}
