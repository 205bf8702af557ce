import type { ComponentChild } from "preact";
import type { HeaderList } from "../../contract/index.js";

/** Headers, as they were sent. */
export function HeaderTable({
  title,
  headers,
}: {
  readonly title: string;
  readonly headers: HeaderList;
}): ComponentChild {
  if (headers.length === 0) return null;
  return (
    <details>
      <summary class="label">
        {title} · {headers.length}
      </summary>
      <dl class="facts headers">
        {headers.map(([name, value], index) => (
          <div key={index} class="header">
            <dt class="mono">{name}</dt>
            <dd class="mono">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
