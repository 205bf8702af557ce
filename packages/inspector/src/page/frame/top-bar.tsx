import type { ComponentChild } from "preact";
import { href } from "../router/route.js";
import { connection } from "../state/connection.js";
import { isDark, theme } from "../state/settings.js";
import { Button, Icon, KeyHint, VisibleName } from "../ui/index.js";
import { ConnectionBadge } from "./connection-badge.js";

/** The agent, whether it is connected, search, theme, help. */
export function TopBar(props: {
  /** The name of the screen: the heading of the page, whichever pane is shown. */
  readonly title: string;
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}): ComponentChild {
  const at = connection.value;
  return (
    <header class="top">
      <h1 class="unseen">{props.title}</h1>
      <a class="brand" href={href(["connect"])} aria-label="Parley inspector">
        <Icon name="logo" size={18} />
        <span class="brand-name">Parley</span>
      </a>
      <div class="top-agent">
        {at === undefined ? null : (
          <>
            <span class="strong cut">
              <VisibleName name={at.card.name} />
            </span>
            <span class="mono soft cut top-url">{hostOf(at.url)}</span>
          </>
        )}
        <ConnectionBadge />
      </div>
      <div class="top-tools">
        <Button kind="quiet" onClick={props.onSearch} label="Search">
          <span class="top-search-icon">
            <Icon name="search" />
          </span>
          <span class="top-search-word">
            <KeyHint keys="/" />
            Search
          </span>
        </Button>
        <Button
          kind="quiet"
          shape="icon"
          label={isDark() ? "Use the light theme" : "Use the dark theme"}
          onClick={() => {
            theme.value = isDark() ? "light" : "dark";
          }}
        >
          <Icon name={isDark() ? "sun" : "moon"} />
        </Button>
        <Button kind="quiet" shape="icon" label="Help" onClick={props.onHelp}>
          ?
        </Button>
      </div>
    </header>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
