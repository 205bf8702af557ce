import type { MountTable, MountedAgent } from "../binding/internal.js";
import { pushKeysUri } from "../protocol/internal.js";
import type { AgentCard, AgentSkill } from "../protocol/internal.js";
import { connectSample, curlSample } from "./call-samples.js";
import type { CallTarget } from "./call-samples.js";
import { interfacesAt } from "./cards/card-address.js";
import { agentOfCard } from "./cards/find-card.js";
import type { HttpHeaders, HttpRequest, HttpResponse } from "./http-message.js";
import type { HttpOptions } from "./http-options.js";
import { declareKeys } from "./key-set.js";
import { publicUrlOf } from "./public-url.js";

const cardPath = "/.well-known/agent-card.json";

/** Pages for people who open the URL of an agent in a browser: what the agent is, and how to call it. */
export class AgentPages {
  readonly #table: MountTable;
  readonly #options: HttpOptions;

  constructor(table: MountTable, options: HttpOptions) {
    this.#table = table;
    this.#options = options;
  }

  /**
   * The page at a path: of the agent whose card is below that path, and at the root with a list of the other agents.
   * The list leaves out agents that are for one tenant: it would tell everyone who the tenants are.
   */
  async at(target: string, request: HttpRequest): Promise<HttpResponse | undefined> {
    const path = target.replace(/\/$/, "");
    const point = this.#table.points.find((one) => one.path === path);
    const listed = path === "" ? this.#listed() : [];
    const only = listed.length === 1 ? listed[0] : undefined;
    const own = point === undefined ? only : agentOfCard(point, cardPath);
    const others = listed.filter((agent) => agent !== own);
    if (own === undefined && others.length === 0) return undefined;
    const show = (agent: MountedAgent): CallTarget => this.#show(agent, request);
    const body = pageOf(own && show(own), others.map(show));
    return { status: 200, headers: await pageHeaders(), body };
  }

  #listed(): readonly MountedAgent[] {
    const mounted = this.#table.points.flatMap(({ path, agents }) =>
      agents.filter((agent) => agent.path === path && agent.tenant === undefined),
    );
    return mounted.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  #show(agent: MountedAgent, request: HttpRequest): CallTarget {
    const base = `${publicUrlOf(request, this.#options)}${agent.path}`;
    const { tenantPath, tenant } = agent;
    return {
      url: `${base}${tenantPath ?? ""}`,
      tenant: tenantPath === undefined ? tenant : undefined,
      card: declareKeys(agent.card(interfacesAt(base, agent, this.#options)), base, this.#options),
    };
  }
}

function pageOf(own: CallTarget | undefined, others: readonly CallTarget[]): string {
  const title = own?.card.name ?? `${others.length} agents`;
  const heading = own ? markup`<h2>Also here</h2>` : markup`<header><h1>${title}</h1></header>`;
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Markup(css)}</style>
<main>
${own && details(own)}
${others.length > 0 ? markup`${heading}<ul class="cards">${others.map(agentItem)}</ul>` : undefined}
</main>
</html>
`.text;
}

function details(shown: CallTarget): Markup {
  const { card, url } = shown;
  const { name, version, description, provider, documentationUrl } = card;
  const links = [
    link("Agent card", `${url}${cardPath}`),
    link("Health", `${url}/healthz`),
    link("Readiness", `${url}/readyz`),
    maybeLink("Push keys", keysUrlIn(card)),
    maybeLink("Documentation", documentationUrl),
  ];
  const by = provider && markup` · by ${link(provider.organization, provider.url)}`;
  const skills = card.skills.filter((one) => one.name !== name || one.description !== description);
  return markup`<header>
<p class="kind">A2A agent · version ${version}${by}</p>
<h1 dir="auto">${name}</h1>
<p class="lead" dir="auto">${description}</p>
<nav>${links}</nav>
</header>
<h2>Call it</h2>
<h3>curl</h3>
<pre><code>${curlSample(shown)}</code></pre>
<h3>TypeScript</h3>
<pre><code>${connectSample(shown)}</code></pre>
${requirements(card)}
<p class="note">Speaks ${spoken(card)}.</p>
${skills.length > 0 ? markup`<h2>Skills</h2><ul class="cards">${skills.map(skillItem)}</ul>` : undefined}`;
}

function agentItem({ card: { name, version, description }, url }: CallTarget): Markup {
  return markup`<li><h3 dir="auto">${link(name, url)}</h3>
<p class="short" dir="auto">${description}</p>
<p class="note">${url}<br>version ${version} · ${link("card", `${url}${cardPath}`)}</p></li>`;
}

function skillItem({ name, description, tags, examples = [] }: AgentSkill): Markup {
  return markup`<li><h3 dir="auto">${name}</h3><p dir="auto">${description}</p>
${examples.map((one) => markup`<p class="example" dir="auto">${one}</p>`)}
${tags.length > 0 ? markup`<p class="note" dir="auto">${tags.join(" · ")}</p>` : undefined}</li>`;
}

/** Which credentials callers need, by the names that the card gives them. */
function requirements({ securityRequirements = [] }: AgentCard): Markup | undefined {
  const ways = securityRequirements.map(({ schemes }) => Object.keys(schemes).join(" and "));
  if (ways.length === 0 || ways.includes("")) return undefined;
  return markup`<p class="note">Callers authenticate with ${ways.join(", or with ")}, as the card says.</p>`;
}

function spoken({ supportedInterfaces, capabilities }: AgentCard): string {
  const versions = new Set(supportedInterfaces.map(({ protocolVersion }) => protocolVersion));
  const bindings = new Set(supportedInterfaces.map(({ protocolBinding }) => protocolBinding));
  const { streaming, pushNotifications } = capabilities;
  const extras = [
    streaming === true && "streaming",
    pushNotifications === true && "push notifications",
  ];
  const offers = extras.filter((one) => one !== false).join(" and ");
  const protocol = `A2A ${[...versions].join(", ")} over ${[...bindings].join(", ")}`;
  return offers === "" ? protocol : `${protocol}, with ${offers}`;
}

function keysUrlIn({ capabilities: { extensions = [] } }: AgentCard): string | undefined {
  const { url } = extensions.find(({ uri }) => uri === pushKeysUri)?.params ?? {};
  return typeof url === "string" ? url : undefined;
}

function maybeLink(text: string, url: string | undefined): Markup | undefined {
  return url === undefined ? undefined : link(text, url);
}

/** A link, or only its text where the URL could be more than a place, such as a script. */
function link(text: string, url: string): Markup {
  const isPlace = /^https?:\/\//i.test(url);
  return isPlace ? markup`<a href="${url}" rel="noreferrer">${text}</a>` : markup`${text}`;
}

/** Text that a browser reads as HTML. */
class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = string | Markup | undefined | readonly (Markup | undefined)[];

/** HTML in which every value that is not markup itself is escaped. */
function markup(texts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const written = values.map((value) =>
    typeof value === "string"
      ? value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
      : [value].flat().reduce((sum, one) => sum + (one?.text ?? ""), ""),
  );
  return new Markup(String.raw({ raw: texts }, ...written));
}

let prepared: Promise<HttpHeaders> | undefined;

/** The page may use its own style and nothing else: no script, no image, no form. */
function pageHeaders(): Promise<HttpHeaders> {
  return (prepared ??= prepareHeaders());
}

async function prepareHeaders(): Promise<HttpHeaders> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(css));
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  const policy = ["default-src", "base-uri", "form-action", "frame-ancestors"].map(
    (name) => `${name} 'none'`,
  );
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": [...policy, `style-src 'sha256-${hash}'`].join("; "),
    Vary: "Accept",
  };
}

const css = `
:root { color-scheme: light dark; --text: #1c1e26; --soft: #5d6270; --page: #f6f6f4; --card: #fff; --line: #e3e3de;
  --accent: #1f5fbf; --code: #fff }
@media (prefers-color-scheme: dark) { :root { --text: #e7e8ec; --soft: #9ba1b0; --page: #14161b; --card: #1c1f26;
  --line: #2e323c; --accent: #84b3ff; --code: #101217 } }
* { box-sizing: border-box; margin: 0 }
body { background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 46rem; margin: 0 auto; padding: clamp(1.5rem, 6vw, 4rem) clamp(1rem, 5vw, 2rem) }
h1 { font-size: clamp(1.7rem, 6vw, 2.4rem); line-height: 1.2; letter-spacing: -.02em }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem }
h3 { font-size: 1rem; margin-bottom: .2rem }
header + .cards { margin-top: 1.5rem }
pre + h3, h2 + h3 { font-size: .8rem; font-weight: 600; color: var(--soft); margin: 1rem 0 .35rem }
a { color: var(--accent); text-underline-offset: .15em }
.kind { color: var(--soft); font-size: .85rem; margin-bottom: .25rem }
.lead { font-size: 1.1rem; margin-top: .75rem; white-space: pre-line }
.note { color: var(--soft); font-size: .85rem; margin-top: .5rem }
nav { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1.25rem }
nav a { background: var(--card); border: 1px solid var(--line); border-radius: 99px; padding: .3rem .85rem;
  font-size: .9rem; text-decoration: none }
nav a:hover { border-color: var(--accent) }
pre { background: var(--code); border: 1px solid var(--line); border-radius: .6rem; padding: .8rem 1rem;
  font: .82rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: pre-wrap }
.cards { list-style: none; padding: 0; display: grid; gap: .75rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)) }
.cards li { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem }
.cards p { font-size: .95rem; white-space: pre-line }
.cards .note { font-size: .8rem }
.cards .short { white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden }
.cards .example { font: .82rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--soft);
  border-inline-start: 2px solid var(--line); padding-inline-start: .6rem; margin-top: .5rem }
`;
