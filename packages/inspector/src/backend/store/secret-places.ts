import type { InspectedServer } from "@parley/a2a/node";
import { decodeAgentCard } from "@parley/a2a/wire";
import { secretPlacesOf } from "../../record/index.js";
import type { SecretPlaces } from "../../record/index.js";

/** Where callers of a server put their secrets, by the cards of its agents. */
export async function readSecretPlaces(server: InspectedServer): Promise<SecretPlaces> {
  const places = await Promise.all(server.agents.map(({ path }) => placesOf(server, path)));
  return {
    headers: places.flatMap(({ headers }) => headers),
    parameters: places.flatMap(({ parameters }) => parameters),
  };
}

async function placesOf({ url, answer }: InspectedServer, path: string): Promise<SecretPlaces> {
  const base = url + (path === "/" ? "" : path);
  try {
    const response = await answer(new Request(`${base}/.well-known/agent-card.json`));
    return secretPlacesOf(decodeAgentCard(await response.json()));
  } catch {
    // A card that only callers with credentials may read names no places.
    return { headers: [], parameters: [] };
  }
}
