import { type TProperties, type TSchema, Type } from 'typebox'

/** Exactly these fields: Kubernetes ignores a misspelled one. */
const fields = (properties: TProperties): TSchema => Type.Object(properties, { additionalProperties: false })
const optional = Type.Optional
const list = (items: TSchema): TSchema => Type.Array(items, { minItems: 1 })
const text = Type.String({ minLength: 1 })
const count = Type.Integer({ minimum: 1 })
const texts = Type.Record(Type.String(), Type.String())
const quantity = Type.String({ pattern: '^\\d+(m|Mi|Gi)?$' })
const labels = fields({ matchLabels: texts })
const on = Type.Literal(true)
const off = Type.Literal(false)

const metadata = fields({ name: text, labels: optional(texts), annotations: optional(texts) })
const manifest = (apiVersion: string, kind: string, spec?: TSchema): Record<string, TSchema> => ({
  [`${apiVersion} ${kind}`]: fields({
    apiVersion: Type.Literal(apiVersion),
    kind: Type.Literal(kind),
    metadata,
    ...(spec && { spec }),
  }),
})

const probe = fields({
  httpGet: fields({ path: text, port: Type.Literal('http') }),
  periodSeconds: count,
  timeoutSeconds: optional(count),
  failureThreshold: count,
})

const container = fields({
  name: text,
  image: text,
  ports: list(fields({ name: Type.Literal('http'), containerPort: Type.Literal(3000) })),
  envFrom: list(fields({ secretRef: fields({ name: text }) })),
  env: list(fields({ name: text, value: text })),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  lifecycle: fields({ preStop: fields({ sleep: fields({ seconds: count }) }) }),
  resources: fields({
    requests: fields({ cpu: quantity, memory: quantity }),
    limits: fields({ memory: quantity }),
  }),
  securityContext: fields({
    allowPrivilegeEscalation: off,
    readOnlyRootFilesystem: on,
    capabilities: fields({ drop: Type.Tuple([Type.Literal('ALL')]) }),
  }),
  volumeMounts: list(fields({ name: text, mountPath: text })),
})

const volume = Type.Union([
  fields({ name: text, emptyDir: fields({}) }),
  fields({ name: text, persistentVolumeClaim: fields({ claimName: text }) }),
])

const pod = fields({
  automountServiceAccountToken: off,
  terminationGracePeriodSeconds: Type.Integer({ minimum: 40 }), // the process itself takes up to 30
  securityContext: fields({
    runAsNonRoot: on,
    runAsUser: count,
    runAsGroup: count,
    fsGroup: count,
    fsGroupChangePolicy: Type.Literal('OnRootMismatch'),
    seccompProfile: fields({ type: Type.Literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: list(
    fields({ maxSkew: count, topologyKey: text, whenUnsatisfiable: text, labelSelector: labels }),
  ),
  containers: list(container),
  volumes: list(volume),
})

const deployment = fields({
  replicas: Type.Integer({ minimum: 2 }),
  strategy: fields({ rollingUpdate: fields({ maxSurge: count, maxUnavailable: Type.Literal(0) }) }),
  selector: labels,
  template: fields({ metadata: fields({ labels: texts }), spec: pod }),
})

const peer = Type.Union([
  fields({ namespaceSelector: labels }),
  fields({ ipBlock: fields({ cidr: text, except: list(text) }) }),
])
const port = fields({ port: Type.Union([count, text]), protocol: optional(text) })
const networkPolicy = fields({
  podSelector: Type.Union([labels, fields({})]),
  policyTypes: list(Type.Enum(['Ingress', 'Egress'])),
  ingress: optional(list(fields({ from: list(peer), ports: list(port) }))),
  egress: optional(list(fields({ to: optional(list(peer)), ports: optional(list(port)) }))),
})

const ingress = fields({
  tls: list(fields({ hosts: list(text), secretName: text })),
  rules: list(
    fields({
      host: text,
      http: fields({
        paths: list(
          fields({
            path: text,
            pathType: Type.Literal('Prefix'),
            backend: fields({ service: fields({ name: text, port: fields({ name: text }) }) }),
          }),
        ),
      }),
    }),
  ),
})

const autoscaler = fields({
  scaleTargetRef: fields({ apiVersion: text, kind: text, name: text }),
  minReplicas: Type.Integer({ minimum: 2 }),
  maxReplicas: count,
  metrics: list(
    fields({
      type: Type.Literal('Resource'),
      resource: fields({
        name: text,
        target: fields({ type: Type.Literal('Utilization'), averageUtilization: count }),
      }),
    }),
  ),
})

const scaledObject = fields({
  scaleTargetRef: fields({ name: text }),
  minReplicaCount: Type.Integer({ minimum: 2 }),
  maxReplicaCount: count,
  pollingInterval: count,
  cooldownPeriod: count,
  triggers: list(
    fields({
      type: Type.Literal('metrics-api'),
      metadata: fields({ url: text, valueLocation: text, targetValue: text, authMode: Type.Literal('bearer') }),
      authenticationRef: fields({ name: text }),
    }),
  ),
})

export const kinds: Record<string, TSchema> = {
  ...manifest('v1', 'Namespace'),
  ...manifest(
    'v1',
    'PersistentVolumeClaim',
    fields({
      accessModes: Type.Tuple([Type.Literal('ReadWriteMany')]),
      resources: fields({ requests: fields({ storage: quantity }) }),
    }),
  ),
  ...manifest(
    'v1',
    'Service',
    fields({ selector: texts, ports: list(fields({ name: text, port: count, targetPort: text })) }),
  ),
  ...manifest('apps/v1', 'Deployment', deployment),
  ...manifest('policy/v1', 'PodDisruptionBudget', fields({ maxUnavailable: count, selector: labels })),
  ...manifest('networking.k8s.io/v1', 'Ingress', ingress),
  ...manifest('networking.k8s.io/v1', 'NetworkPolicy', networkPolicy),
  ...manifest('autoscaling/v2', 'HorizontalPodAutoscaler', autoscaler),
  ...manifest('keda.sh/v1alpha1', 'ScaledObject', scaledObject),
  ...manifest(
    'keda.sh/v1alpha1',
    'TriggerAuthentication',
    fields({ secretTargetRef: list(fields({ parameter: text, name: text, key: text })) }),
  ),
}

export const Kustomization = fields({
  apiVersion: Type.Literal('kustomize.config.k8s.io/v1beta1'),
  kind: Type.Literal('Kustomization'),
  namespace: text,
  labels: list(fields({ pairs: texts, includeTemplates: on })),
  images: list(fields({ name: text, newName: text, newTag: text })),
  secretGenerator: list(fields({ name: text, envs: list(text) })),
  resources: list(text),
  configMapGenerator: list(
    fields({
      name: text,
      envs: list(text),
      // It holds secrets, and must not leave the machine.
      options: fields({
        disableNameSuffixHash: on,
        annotations: fields({ 'config.kubernetes.io/local-config': Type.Literal('true') }),
      }),
    }),
  ),
  replacements: list(
    fields({
      source: fields({
        kind: text,
        name: text,
        fieldPath: text,
        options: fields({ delimiter: text, index: Type.Integer() }),
      }),
      targets: list(fields({ select: fields({ kind: text, name: text }), fieldPaths: list(text) })),
    }),
  ),
})

export const Component = fields({
  apiVersion: Type.Literal('kustomize.config.k8s.io/v1alpha1'),
  kind: Type.Literal('Component'),
  resources: list(text),
  patches: list(fields({ target: fields({ kind: text, name: text }), patch: text })),
})
