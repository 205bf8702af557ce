import { codecs, Cursor } from "@parley/a2a/wire";
import { reasonOf } from "@parley/inspector/probe";
import { expectThat, fail, pass, skip } from "../check.js";
import type { ConformanceCheck, Observation } from "../check.js";
import { receiveDeliveries } from "../receive-deliveries.js";
import type { Deliveries } from "../receive-deliveries.js";
import { parseObject } from "../wire-json.js";

const members = ["task", "message", "statusUpdate", "artifactUpdate"];

/** A check of what the agent has posted to a webhook of the tool. All look at the same posts. */
function ofDeliveries(
  id: ConformanceCheck["id"],
  judge: (deliveries: Deliveries) => Observation,
): ConformanceCheck {
  return {
    id,
    async run(subject) {
      if (subject.card.capabilities.pushNotifications !== true)
        return skip("the card declares no push notifications");
      const found = await subject.once("deliveries", () => receiveDeliveries(subject));
      if ("skipped" in found) return skip(found.skipped);
      if ("failed" in found) return fail(found.failed);
      if (found.posts.length === 0 && id !== "push:create-delivers")
        return skip("nothing was posted");
      return judge(found);
    },
  };
}

/** The first post that is not as it has to be, in words. */
function firstWrong(
  { posts }: Deliveries,
  problemOf: (post: Deliveries["posts"][number]) => string | undefined,
): Observation {
  for (const [index, post] of posts.entries()) {
    const problem = problemOf(post);
    if (problem !== undefined) return fail(`post ${index + 1} of ${posts.length}: ${problem}`);
  }
  return pass(`${posts.length} posts`);
}

/** Requirements on the delivery of push notifications (§4.3.3), which only a receiver sees. */
export const deliveryChecks: readonly ConformanceCheck[] = [
  ofDeliveries("push:create-delivers", ({ posts }) =>
    expectThat(posts.length > 0, posts.length > 0 ? `${posts.length} posts` : "nothing was posted"),
  ),
  ofDeliveries("push:post", ({ posts }) => pass(`${posts.length} posts`)),
  ofDeliveries("push:at-least-once", ({ hasEnd, posts }) =>
    expectThat(
      hasEnd,
      hasEnd ? `${posts.length} posts` : `none of ${posts.length} posts tells how the task ended`,
    ),
  ),
  ofDeliveries("push:payload", (deliveries) =>
    firstWrong(deliveries, ({ body }) => {
      const names = Object.keys(parseObject(body));
      const isOne = names.length === 1 && members.includes(names[0] ?? "");
      return isOne ? undefined : `it has ${names.join(", ") || "no JSON object"}`;
    }),
  ),
  ofDeliveries("push:http-json", (deliveries) =>
    firstWrong(deliveries, ({ body }) => {
      try {
        const cursor = new Cursor({ code: "INVALID_AGENT_RESPONSE" });
        codecs["1.0"].decodeEvent(JSON.parse(body), cursor, {});
        return undefined;
      } catch (error) {
        return reasonOf(error);
      }
    }),
  ),
  ofDeliveries("push:content-type", (deliveries) =>
    firstWrong(deliveries, ({ headers }) => {
      const { "content-type": type = "none" } = headers;
      return /^application\/a2a\+json(?:;|$)/i.test(type) ? undefined : `Content-Type: ${type}`;
    }),
  ),
  ofDeliveries("push:credentials", (deliveries) =>
    firstWrong(deliveries, ({ headers }) => {
      const [scheme = "", given] = (headers["authorization"] ?? "").split(" ");
      const { authentication } = deliveries.config;
      if (scheme === "") return "there is no Authorization header";
      if (scheme.toLowerCase() !== "bearer") return `the scheme is ${scheme}, not Bearer`;
      return given === authentication?.credentials ? undefined : "the credentials are others";
    }),
  ),
  ofDeliveries("push:token", ({ posts, config }) => {
    const tokens = posts.map(({ headers }) => headers["x-a2a-notification-token"]);
    if (tokens.every((token) => token === undefined)) return skip("it does not");
    const isSame = tokens.every((token) => token === config.token);
    return expectThat(isSame, isSame ? "the token" : "another token");
  }),
];
