/** What a value in a manifest may be: a check, a list of one shape, or an object with these members. */
type Shape = ((value: unknown) => boolean) | readonly [Shape] | { readonly [name: string]: Shape };

const text = (value: unknown): boolean => typeof value === "string" && value !== "";
const whole = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const flag = (value: unknown): boolean => typeof value === "boolean";
const oneOf =
  (...known: readonly unknown[]) =>
  (value: unknown): boolean =>
    known.includes(value);
const quantity = (value: unknown): boolean =>
  /^\d+(?:\.\d+)?(?:m|k|M|G|Ki|Mi|Gi)?$/.test(String(value));
const name = (value: unknown): boolean =>
  typeof value === "string" && /^[a-z\d](?:[-a-z\d]{0,61}[a-z\d])?$/.test(value);
const port = (value: unknown): boolean =>
  name(value) || (whole(value) && Number(value) > 0 && Number(value) <= 65_535);
/** Labels and annotations: values are strings, which YAML is quick to take for something else. */
const labels = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.values(value).every((one) => text(one));

const metadata = { name, labels, annotations: labels };
const selector = { matchLabels: labels };
const probe = {
  httpGet: { path: text, port },
  periodSeconds: whole,
  timeoutSeconds: whole,
  failureThreshold: whole,
};
const container = {
  name,
  image: text,
  imagePullPolicy: oneOf("Always", "IfNotPresent", "Never"),
  args: [text],
  env: [
    {
      name: text,
      value: text,
      valueFrom: { secretKeyRef: { name, key: text, optional: flag } },
    },
  ],
  ports: [{ name, containerPort: port }],
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources: {
    requests: { cpu: quantity, memory: quantity },
    limits: { cpu: quantity, memory: quantity },
  },
  securityContext: {
    allowPrivilegeEscalation: flag,
    readOnlyRootFilesystem: flag,
    capabilities: { drop: [text] },
  },
  volumeMounts: [{ name, mountPath: text }],
} satisfies Shape;
const pod = {
  metadata: { labels, annotations: labels },
  spec: {
    automountServiceAccountToken: flag,
    enableServiceLinks: flag,
    imagePullSecrets: [{ name }],
    restartPolicy: oneOf("Always", "OnFailure", "Never"),
    securityContext: {
      runAsNonRoot: flag,
      runAsUser: whole,
      runAsGroup: whole,
      seccompProfile: { type: oneOf("RuntimeDefault") },
    },
    terminationGracePeriodSeconds: whole,
    topologySpreadConstraints: [
      {
        maxSkew: whole,
        topologyKey: text,
        whenUnsatisfiable: oneOf("ScheduleAnyway", "DoNotSchedule"),
        labelSelector: selector,
      },
    ],
    containers: [container],
    volumes: [{ name, emptyDir: { sizeLimit: quantity } }],
    nodeSelector: labels,
    tolerations: [{ key: text, operator: oneOf("Exists", "Equal"), value: text, effect: text }],
  },
} satisfies Shape;

/** The kinds that the chart has, by their version of the API, with those members that it uses. */
const kinds: Readonly<Record<string, Shape>> = {
  "apps/v1 Deployment": {
    replicas: whole,
    strategy: {
      type: oneOf("RollingUpdate"),
      rollingUpdate: { maxUnavailable: whole, maxSurge: whole },
    },
    selector,
    template: pod,
  },
  "v1 Service": {
    type: oneOf("ClusterIP"),
    sessionAffinity: oneOf("None"),
    selector: labels,
    ports: [{ name, port, targetPort: port, appProtocol: text }],
  },
  "policy/v1 PodDisruptionBudget": { minAvailable: whole, selector },
  "batch/v1 Job": {
    backoffLimit: whole,
    activeDeadlineSeconds: whole,
    ttlSecondsAfterFinished: whole,
    template: pod,
  },
  "autoscaling/v2 HorizontalPodAutoscaler": {
    scaleTargetRef: { apiVersion: oneOf("apps/v1"), kind: oneOf("Deployment"), name },
    minReplicas: whole,
    maxReplicas: whole,
    behavior: {
      scaleDown: {
        stabilizationWindowSeconds: whole,
        policies: [{ type: oneOf("Pods", "Percent"), value: whole, periodSeconds: whole }],
      },
    },
    metrics: [
      {
        type: oneOf("Resource"),
        resource: {
          name: oneOf("cpu", "memory"),
          target: { type: oneOf("Utilization"), averageUtilization: whole },
        },
      },
    ],
  },
  "networking.k8s.io/v1 NetworkPolicy": {
    podSelector: selector,
    policyTypes: [oneOf("Ingress", "Egress")],
    ingress: [
      { from: [{ podSelector: selector, namespaceSelector: selector }], ports: [{ port }] },
    ],
  },
};

/** What is wrong with the form of a manifest: an unknown kind, a member that there is not, a value of another type. */
export function formProblems(manifest: unknown): readonly string[] {
  const { apiVersion, kind } = (manifest ?? {}) as Record<string, unknown>;
  const known = kinds[`${String(apiVersion)} ${String(kind)}`];
  if (known === undefined) return [`${String(apiVersion)} has no ${String(kind)}`];
  return problemsIn(
    manifest,
    { apiVersion: text, kind: text, metadata, spec: known },
    String(kind),
  );
}

function problemsIn(value: unknown, shape: Shape, path: string): readonly string[] {
  if (typeof shape === "function")
    return shape(value) ? [] : [`${path} is ${JSON.stringify(value)}`];
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((one, index) => problemsIn(one, shape[0], `${path}[${index}]`));
  }
  if (typeof value !== "object" || value === null) return [`${path} is no object`];
  return Object.entries(value).flatMap(([member, one]) => {
    const known = shape[member];
    const place = `${path}.${member}`;
    return known === undefined ? [`${place} is unknown`] : problemsIn(one, known, place);
  });
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}
