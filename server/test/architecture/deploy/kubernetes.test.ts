import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { documentedSettings, readText, root } from './files.ts'
import { Kustomization, kinds } from './kubernetes-shapes.ts'

const folder = 'deploy/kubernetes'
const kustomization = parse(readText(`${folder}/kustomization.yaml`))

// biome-ignore lint/suspicious/noExplicitAny: their shapes are what is tested
type Manifest = any
const manifests: Manifest[] = (kustomization.resources as string[]).flatMap((file) =>
  parseAllDocuments(readText(`${folder}/${file}`)).map((document) => document.toJS()),
)
const ofKind = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind)
const named = (kind: string): string[] => ofKind(kind).map(({ metadata }) => metadata.name)
const container = (deployment: Manifest): Manifest => deployment.spec.template.spec.containers[0]

const ajv = new Ajv({ allErrors: true })
const problems = (shape: object, value: unknown) => {
  const check = ajv.compile(shape)
  check(value)
  return check.errors?.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

describe('the manifests for Kubernetes', () => {
  it('have only known fields with valid values', () => {
    expect(problems(Kustomization, kustomization)).toBeUndefined()
    for (const manifest of manifests) {
      const shape = kinds[`${manifest.apiVersion} ${manifest.kind}`]
      expect([manifest.kind, shape !== undefined]).toEqual([manifest.kind, true])
      if (shape)
        expect([manifest.metadata.name, problems(shape, manifest)]).toEqual([manifest.metadata.name, undefined])
    }
  })

  it('are all part of the kustomization', () => {
    const files = globSync('*.yaml', { cwd: join(root, folder) }).filter(
      (file) => basename(file) !== 'kustomization.yaml',
    )
    expect([...kustomization.resources].sort()).toEqual(files.sort())
  })

  it('run one node of each role by the image of the kustomization', () => {
    const deployments = ofKind('Deployment')
    const roles = deployments.map((each) => container(each).env.find(({ name }: Manifest) => name === 'ROLE').value)
    expect(roles.sort()).toEqual(['api', 'worker'])
    for (const deployment of deployments) {
      const { selector, template } = deployment.spec
      expect(template.metadata.labels).toMatchObject(selector.matchLabels)
      expect(container(deployment).image).toBe(kustomization.images[0].name)
      expect(container(deployment).envFrom[0].secretRef.name).toBe(kustomization.secretGenerator[0].name)
      const mounts = container(deployment).volumeMounts.map(({ name }: Manifest) => name)
      expect(template.spec.volumes.map(({ name }: Manifest) => name).sort()).toEqual(mounts.sort())
      const budget = ofKind('PodDisruptionBudget').find(({ metadata }) => metadata.name === deployment.metadata.name)
      expect(budget.spec.selector).toEqual(selector)
    }
    const [, worker] = deployments
    expect({ ...worker.spec.template.spec, containers: [] }).toEqual({
      ...deployments[0].spec.template.spec,
      containers: [],
      topologySpreadConstraints: worker.spec.template.spec.topologySpreadConstraints,
    })
  })

  it('set only what docs/operations.md lists, and no secret', () => {
    const secrets = [...readText(`${folder}/secrets.env.example`).matchAll(/^(\w+)=(.*)$/gm)]
    expect(secrets.map(([, , value]) => value)).toEqual(secrets.map(() => ''))
    const set = ofKind('Deployment').flatMap((each) => container(each).env.map(({ name }: Manifest) => name))
    const known = [...documentedSettings()]
    expect(known).toEqual(expect.arrayContaining([...set, ...secrets.map(([, name]) => name)]))
    expect(readText('.gitignore')).toContain(`${folder}/${kustomization.secretGenerator[0].envs[0]}\n`)
  })

  it('scale deployments that exist, by a number that the service gives', () => {
    const { paths, components } = JSON.parse(readText('openapi.json'))
    const targets = [...ofKind('HorizontalPodAutoscaler'), ...ofKind('ScaledObject')]
    expect(targets.map(({ spec }) => spec.scaleTargetRef.name).sort()).toEqual(named('Deployment').sort())
    const [{ spec }] = ofKind('ScaledObject')
    const { url, valueLocation } = spec.triggers[0].metadata
    expect(named('Service')).toContain(new URL(url).hostname.split('.')[0])
    expect(paths).toHaveProperty([new URL(url).pathname])
    const [, ...fields] = valueLocation.split('.') as string[]
    expect(components.schemas.Status).toHaveProperty(fields.flatMap((field) => ['properties', field]))
    expect(named('TriggerAuthentication')).toEqual([spec.triggers[0].authenticationRef.name])
  })

  it('check the health by paths that the service has', () => {
    const { paths } = JSON.parse(readText('openapi.json'))
    for (const deployment of ofKind('Deployment')) {
      const { startupProbe, readinessProbe, livenessProbe } = container(deployment)
      for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
        expect(paths).toHaveProperty([httpGet.path])
      }
      expect(livenessProbe.httpGet.path).not.toBe(readinessProbe.httpGet.path) // a restart does not mend a database
    }
  })
})
