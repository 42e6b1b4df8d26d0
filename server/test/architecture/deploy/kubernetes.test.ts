import { execFileSync } from 'node:child_process'
import { cpSync, globSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { findProgram } from '../../services/find.ts'
import { makeFolder } from '../../services/folder.ts'
import { documentedSettings, readText, root } from './files.ts'
import { Component, Kustomization, kinds } from './kubernetes-shapes.ts'

const folder = 'deploy/kubernetes'
const kustomization = parse(readText(`${folder}/kustomization.yaml`))
const keda = parse(readText(`${folder}/keda/kustomization.yaml`))

// biome-ignore lint/suspicious/noExplicitAny: their shapes are what is tested
type Manifest = any
const readAll = (files: string[]): Manifest[] =>
  files.flatMap((file) => parseAllDocuments(readText(`${folder}/${file}`)).map((document) => document.toJS()))
const base = readAll(kustomization.resources)
const manifests = [...base, ...readAll(keda.resources.map((file: string) => `keda/${file}`))]
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
    expect(problems(Component, keda)).toBeUndefined()
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

  it('apply without KEDA', () => {
    expect(base.filter(({ apiVersion }) => apiVersion.startsWith('keda.sh'))).toEqual([])
  })

  it.skipIf(findProgram('kubectl') === null)(
    'open the port of DATABASE_URL, and keep its secrets in the secret',
    () => {
      const place = makeFolder('kubernetes')
      onTestFinished(() => rmSync(place, { recursive: true }))
      cpSync(join(root, folder), place, { recursive: true })
      const url = 'postgres://parley:hush@db.example.com:6543/parley?sslmode=verify-full'
      writeFileSync(join(place, 'secrets.env'), `DATABASE_URL=${url}\nSECRET_KEY=hush\n`)
      const built = (components: string): Manifest[] => {
        const text = readText(`${folder}/kustomization.yaml`).replace('# components:', components)
        writeFileSync(join(place, 'kustomization.yaml'), text)
        const output = execFileSync('kubectl', ['kustomize', place], { encoding: 'utf8' })
        expect(output).not.toContain('hush')
        return parseAllDocuments(output).map((document) => document.toJS())
      }
      const plain = built('# components:')
      const egress = plain.find(({ metadata }) => metadata.name === 'parley-egress')
      expect(egress.spec.egress[1].ports.map(({ port }: Manifest) => port)).toEqual([6543, 6379])
      expect(plain.map(({ kind }) => kind)).not.toContain('ConfigMap')
      const scaled = built('components:')
      expect(scaled.map(({ kind }) => kind)).toContain('ScaledObject')
      const replicas = (all: Manifest[]) =>
        Object.fromEntries(
          all.filter(({ kind }) => kind === 'Deployment').map((each) => [each.metadata.name, each.spec.replicas]),
        )
      expect([replicas(plain), replicas(scaled)]).toEqual([
        { 'parley-api': 2, 'parley-worker': 2 },
        { 'parley-api': 2 },
      ])
    },
  )

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
