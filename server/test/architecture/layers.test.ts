import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { features } from '../../src/features/index.ts'
import { fileCycles, folderCycles, importGraph } from './import-graph.ts'

const source = fileURLToPath(new URL('../../src/', import.meta.url))
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'))

const listImports = (file: string): string[] =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map((match) =>
    normalize(join(dirname(file), match[1] as string)),
  )
const findFeature = (file: string): string | undefined => /^features\/([^/]+)\//.exec(file)?.[1]
const everyImport = files.flatMap((file) => listImports(file).map((target) => [file, target] as const))

it('the kernel imports no feature', () => {
  expect(everyImport.filter(([file, target]) => file.startsWith('kernel/') && !target.startsWith('kernel/'))).toEqual(
    [],
  )
})

it('a feature imports only services of earlier features', () => {
  const order = features.map((feature) => feature.name)
  const wrong = everyImport.filter(([file, target]) => {
    const [own, other] = [findFeature(file), findFeature(target)]
    if (own === undefined || other === undefined || own === other) return false
    const reachesInside = /\/(store|migrations|routes|jobs)\.ts$/.test(target)
    return order.indexOf(other) >= order.indexOf(own) || reachesInside
  })
  expect(wrong).toEqual([])
})

it('within a feature, imports point from routes to service to store to schema', () => {
  const depth = ['index', 'routes', 'jobs', 'service', 'store', 'schema', 'migrations']
  const wrong = everyImport.filter(([file, target]) => {
    if (findFeature(file) === undefined || findFeature(file) !== findFeature(target)) return false
    const [from, to] = [file, target].map((path) => depth.indexOf(path.replace(/^.*\/|\.ts$/g, '')))
    return from !== undefined && to !== undefined && from >= 0 && to >= 0 && from > to
  })
  expect(wrong).toEqual([])
})

it('only main.ts reads the environment, and features have the names of their folders', () => {
  const readers = files.filter((file) => readFileSync(join(source, file), 'utf8').includes('process.env'))
  expect(readers).toEqual(['main.ts'])
  const folders = [...new Set(files.map(findFeature).filter((name) => name !== undefined))].sort()
  expect(features.map((feature) => feature.name).sort()).toEqual(folders)
})

/** Workers may have module state, because a thread has one task. time.ts caches a value that is the same for every service. */
const mayKeepState = /worker\.ts$|^kernel\/time\.ts$/
const mutableAtTopLevel =
  /^(?:export )?(?:let (?!\w+Sql: string \| undefined$).*|const .*(?:new WeakMap<(?:Context|Db|Store)\b.*|new (?:Map|Set)(?:<.*>)?\(\)|= \[\]))$/gm

it('no module has a registry or the state of a service', () => {
  const found = files
    .filter((file) => !mayKeepState.test(file))
    .flatMap((file) =>
      [...readFileSync(join(source, file), 'utf8').matchAll(mutableAtTopLevel)].map(([line]) => `${file}: ${line}`),
    )
  expect(found).toEqual([])
})

const parts = ['bench', 'chaos', 'cli', 'client', 'console', 'examples', 'packages', 'server', 'test']
const graph = importGraph(fileURLToPath(new URL('../../../', import.meta.url)), parts)

it('there are no import cycles of files, including type imports', () => {
  expect(parts.filter((part) => ![...graph.keys()].some((file) => file.startsWith(`${part}/`)))).toEqual([])
  expect(fileCycles(graph)).toEqual([])
})

/** Tests of one part use the harness of another. */
const isTest = (file: string): boolean => /(?:^|\/)test\//.test(file)

it('there are no import cycles of folders, including type imports', () => {
  const sources = new Map([...graph].filter(([file]) => !isTest(file)))
  expect(folderCycles(sources)).toEqual([])
})

it('finds cycles of files and of folders', () => {
  const imports = {
    'a/one/x.ts': ['a/two/y.ts', 'a/index.ts'],
    'a/two/y.ts': ['a/two/deep/z.ts'],
    'a/two/deep/z.ts': ['a/one/other.ts'],
    'a/one/other.ts': [],
    'a/index.ts': ['a/one/x.ts'],
  }
  const made = new Map(Object.entries(imports))
  expect(fileCycles(made)).toEqual([['a/index.ts', 'a/one/x.ts']])
  expect(folderCycles(made)).toEqual([['a/one', 'a/two']])
})

it('a package imports nothing from the server, and other packages only by name', () => {
  const root = fileURLToPath(new URL('../../../packages/', import.meta.url))
  const wrong = globSync('*/{src,test,bench}/**/*.ts', { cwd: root }).flatMap((file) => {
    const [folder] = file.split('/')
    return [...readFileSync(join(root, file), 'utf8').matchAll(/'(\.[^'\n]*\.ts|@parley\/server[^'\n]*)'/g)]
      .map(([, target = '']) => (target.startsWith('.') ? normalize(join(dirname(file), target)) : target))
      .filter((target) => !target.startsWith(`${folder}/`))
      .map((target) => `${file} → ${target}`)
  })
  expect(wrong).toEqual([])
})

it('the command line is imported by nobody, and loads the server only in the commands that need it', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const importing = (pattern: string, target: RegExp) =>
    globSync(pattern, { cwd: root }).filter((file) => target.test(readFileSync(join(root, file), 'utf8')))
  expect(
    importing('{server,client,console,packages}/**/src/**/*.{ts,tsx}', /'[^'\n]*(?:\/cli\/src|@parley\/cli')/),
  ).toEqual([])
  expect(importing('cli/src/**/*.ts', /from '[^'\n]*\/server\//)).toEqual([])
})
