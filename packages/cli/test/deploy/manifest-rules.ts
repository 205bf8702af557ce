import { formProblems } from "./manifest-shapes.js";

type Labels = Readonly<Record<string, string>>;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

interface Container {
  readonly name: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly name: string }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources?: {
    readonly requests?: { readonly cpu?: string; readonly memory?: string };
    readonly limits?: { readonly memory?: string };
  };
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[] };
  };
  readonly volumeMounts?: readonly { readonly name: string }[];
}

interface Pod {
  readonly metadata: { readonly labels: Labels };
  readonly spec: {
    readonly securityContext?: { readonly runAsNonRoot?: boolean };
    readonly terminationGracePeriodSeconds?: number;
    readonly topologySpreadConstraints?: readonly { readonly labelSelector: Selector }[];
    readonly containers: readonly Container[];
    readonly volumes?: readonly { readonly name: string }[];
  };
}

interface Selector {
  readonly matchLabels: Labels;
}

/** A manifest whose form is right, with the members that the rules look at. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly minAvailable?: number;
    readonly minReplicas?: number;
    readonly selector?: Selector | Labels;
    readonly podSelector?: Selector;
    readonly template?: Pod;
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly ingress?: readonly { readonly ports: readonly { readonly port: string }[] }[];
    readonly scaleTargetRef?: { readonly name: string };
  };
}

/** How long a node may take to start, since it may have to migrate its database. */
const leastStartSeconds = 120;

/** What is wrong with manifests, each and together. */
export function problemsOf(given: readonly unknown[]): readonly string[] {
  const wrong = given.flatMap(formProblems);
  if (wrong.length > 0) return wrong;
  const manifests = given as readonly Manifest[];
  const deployment = manifests.find(({ kind }) => kind === "Deployment");
  if (deployment?.spec.template === undefined) return ["there is no Deployment"];
  const pods = manifests.flatMap(({ spec }) => spec.template ?? []);
  return [
    ...doubles(manifests),
    ...pods.flatMap(podProblems),
    ...servingProblems(deployment.spec.template),
    ...selectionProblems(manifests, deployment),
    ...portProblems(manifests, deployment.spec.template),
    ...countProblems(manifests, deployment),
  ];
}

function doubles(manifests: readonly Manifest[]): readonly string[] {
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return names
    .filter((one, index) => names.indexOf(one) !== index)
    .map((one) => `there are two of ${one}`);
}

/** What holds for every pod: it is no root, it may do little, and it says what it needs. */
function podProblems({ spec }: Pod): readonly string[] {
  const problems = spec.securityContext?.runAsNonRoot === true ? [] : ["a pod may run as root"];
  const volumes = spec.volumes?.map(({ name }) => name) ?? [];
  for (const { name, resources, securityContext, volumeMounts = [] } of spec.containers) {
    const { requests, limits } = resources ?? {};
    if (requests?.cpu === undefined || requests.memory === undefined) {
      problems.push(`${name} does not say what it needs`);
    }
    if (limits?.memory === undefined) problems.push(`${name} has no limit of memory`);
    if (securityContext?.allowPrivilegeEscalation !== false)
      problems.push(`${name} may become root`);
    if (securityContext?.readOnlyRootFilesystem !== true)
      problems.push(`${name} may change its image`);
    if (securityContext?.capabilities?.drop?.includes("ALL") !== true) {
      problems.push(`${name} keeps capabilities`);
    }
    for (const mount of volumeMounts) {
      if (!volumes.includes(mount.name))
        problems.push(`${name} mounts ${mount.name}, which there is not`);
    }
  }
  return problems;
}

/** What holds for the pods that serve: their probes, and that they have time to stop. */
function servingProblems({ spec }: Pod): readonly string[] {
  const problems: string[] = [];
  for (const {
    name,
    startupProbe,
    livenessProbe,
    readinessProbe,
    env = [],
    args = [],
  } of spec.containers) {
    if (livenessProbe?.httpGet.path !== "/healthz")
      problems.push(`${name} is restarted for its database`);
    if (readinessProbe?.httpGet.path !== "/readyz")
      problems.push(`${name} is not asked whether it is ready`);
    const startSeconds = (startupProbe?.periodSeconds ?? 0) * (startupProbe?.failureThreshold ?? 0);
    if (startSeconds <= leastStartSeconds)
      problems.push(`${name} is killed while it migrates its database`);
    const delayMs = Number(env.find((one) => one.name === "PARLEY_DRAIN_DELAY_MS")?.value);
    // That of `serve()` for a program that does not say.
    const stopGrace = args.includes("--stop-grace")
      ? Number(args[args.indexOf("--stop-grace") + 1])
      : 10;
    const unready = (readinessProbe?.periodSeconds ?? 0) * (readinessProbe?.failureThreshold ?? 0);
    if (!(delayMs / 1000 > unready)) problems.push(`${name} stops before a probe has seen it`);
    const needed = delayMs / 1000 + stopGrace + 5;
    if (!((spec.terminationGracePeriodSeconds ?? 30) >= needed)) {
      problems.push(`${name} is killed before it has stopped`);
    }
  }
  return problems;
}

/** Whether everything that selects pods selects those that serve, and no others. */
function selectionProblems(
  manifests: readonly Manifest[],
  deployment: Manifest,
): readonly string[] {
  const serving = deployment.spec.template as Pod;
  const others = manifests
    .flatMap(({ spec }) => spec.template ?? [])
    .filter((one) => one !== serving);
  const spread = serving.spec.topologySpreadConstraints ?? [];
  const selectors: (readonly [string, Labels])[] = [
    ...manifests.flatMap(({ kind, spec: { selector, podSelector } }) => {
      const given = podSelector ?? selector;
      if (given === undefined) return [];
      return [[kind, "matchLabels" in given ? (given as Selector).matchLabels : given] as const];
    }),
    ...spread.map(({ labelSelector }) => ["the spread", labelSelector.matchLabels] as const),
  ];
  return selectors.flatMap(([who, labels]) => {
    const selects = ({ metadata }: Pod): boolean =>
      Object.entries(labels).every(([name, value]) => metadata.labels[name] === value);
    if (!selects(serving)) return [`${who} does not select the pods that serve`];
    return others.some(selects) ? [`${who} selects pods that do not serve`] : [];
  });
}

/** Whether every port that is named is one of the pods that serve. */
function portProblems(manifests: readonly Manifest[], { spec }: Pod): readonly string[] {
  const open = spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name));
  const named = [
    ...manifests.flatMap(({ spec: { ports = [] } }) => ports.map(({ targetPort }) => targetPort)),
    ...manifests.flatMap(({ spec: { ingress = [] } }) =>
      ingress.flatMap(({ ports }) => ports.map(({ port }) => port)),
    ),
    ...spec.containers.flatMap((one) =>
      [one.startupProbe, one.livenessProbe, one.readinessProbe].flatMap(
        (probe) => probe?.httpGet.port ?? [],
      ),
    ),
  ];
  return named.filter((one) => !open.includes(one)).map((one) => `no pod has the port ${one}`);
}

/** Whether machines can be emptied, and whether one thing alone decides how many pods there are. */
function countProblems(manifests: readonly Manifest[], deployment: Manifest): readonly string[] {
  const scaler = manifests.find(({ spec }) => spec.scaleTargetRef !== undefined);
  const budget = manifests.find(({ spec }) => spec.minAvailable !== undefined);
  const least = scaler?.spec.minReplicas ?? deployment.spec.replicas ?? 1;
  const problems: string[] = [];
  if ((budget?.spec.minAvailable ?? 0) >= least) problems.push("no machine can ever be emptied");
  if (scaler !== undefined && deployment.spec.replicas !== undefined) {
    problems.push("replicas are set, and scaled, too");
  }
  if (scaler !== undefined && scaler.spec.scaleTargetRef?.name !== deployment.metadata.name) {
    problems.push("what is scaled is not there");
  }
  return problems;
}
