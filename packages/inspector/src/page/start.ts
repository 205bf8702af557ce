import { effect } from "@preact/signals";
import type { Capabilities, Connection } from "../contract/index.js";
import {
  api,
  backendStatus,
  followFeed,
  openSession,
  problemOf,
  sessionToken,
} from "./api/index.js";
import { navigate, route } from "./router/route.js";
import { capabilities, startProblem } from "./state/capabilities.js";
import {
  connectAgain,
  connection,
  connectionStatus,
  connectTo,
  takeConnection,
} from "./state/connection.js";
import { loadHops } from "./state/hops.js";
import { loadPushes } from "./state/pushes.js";

/** Opens the session, asks what the inspector can do, follows its feed, and connects where the link says so. */
export async function start(): Promise<void> {
  try {
    if (await openShared()) return;
    const isNew = await openSession();
    if (sessionToken.peek() === undefined) return;
    const able = await api.get<Capabilities>("capabilities");
    capabilities.value = able;
    if (able.mode === "file") return;
    effect(() => {
      // Whether the connection is still known shows when the backend is back.
      if (backendStatus.value === "lost" && connection.peek() !== undefined) {
        connectionStatus.value = "connecting";
      }
    });
    void followFeed(new AbortController().signal, () => void catchUp());
    if (!able.canCall) return;
    const { connections } = await api.get<{ connections: readonly Connection[] }>("connections");
    const url = able.url ?? able.agents[0]?.url;
    const open = connections.at(-1);
    if (open !== undefined && !isNew) takeConnection(open);
    // A link fills in the address; it connects by itself only with a valid code.
    else if (url !== undefined && (isNew || able.mode === "store")) {
      if (isNew && route.peek().path.length === 0) navigate(["chat"]);
      await connectTo({ url });
    }
  } catch (error) {
    startProblem.value = problemOf(error);
  }
}

/** Opens the recording that a link holds, `#share=…`: nothing is asked of a backend. */
async function openShared(): Promise<boolean> {
  const packed = /[#&]share=([\w-]+)/.exec(location.hash)?.[1];
  if (packed === undefined) return false;
  const { unpackShare } = await import("../model/copy/share-link.js");
  const { openRecordingText } = await import("./screens/file/open-recording.js");
  await openRecordingText(await unpackShare(packed));
  return true;
}

/** After a loss the backend may be another process, which knows neither hops nor connections. */
async function catchUp(): Promise<void> {
  try {
    await Promise.all([loadHops(), loadPushes()]);
    const { connections } = await api.get<{ connections: readonly Connection[] }>("connections");
    const at = connection.peek();
    if (at === undefined) return;
    if (connections.every(({ id }) => id !== at.id)) await connectAgain();
    else connectionStatus.value = "connected";
  } catch {
    // The feed says whether the backend is there.
  }
}
