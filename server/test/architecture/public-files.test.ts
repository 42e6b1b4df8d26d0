import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { importGraph } from './import-graph.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = 'server/src/features'
const graph = importGraph(root, ['server/src'])
const findFeature = (file: string): string | undefined => /^server\/src\/features\/([^/]+)\//.exec(file)?.[1]

/**
 * The files that the index of a feature re-exports. Others import them directly, as importing the index would make cycles;
 * only the names that `app.ts` needs come through it, and are listed.
 */
const publicFiles = (feature: string, exported = '(?:\\*|\\{[^}]*\\})'): string[] => {
  const index = readFileSync(join(root, folder, feature, 'index.ts'), 'utf8')
  const found = index.matchAll(new RegExp(`^export ${exported} from '(.+)'`, 'gm'))
  return [...found].map(([, path = '']) => posix.join(folder, feature, path))
}

const features = [...new Set([...graph.keys()].flatMap((file) => findFeature(file) ?? []))]
const outsideImports = [...graph].flatMap(([file, targets]) =>
  targets
    .filter((target) => findFeature(target) !== undefined && findFeature(target) !== findFeature(file))
    .map((target) => ({ file, target })),
)
const isRoot = (file: string): boolean => ['server/src/app.ts', `${folder}/index.ts`].includes(file)

it('others import only files of a feature that its index re-exports', () => {
  const open = new Set(features.flatMap((feature) => publicFiles(feature)))
  expect(outsideImports.filter(({ file, target }) => !isRoot(file) && !open.has(target))).toEqual([])
})

it('the composition root imports the index of a feature, and nobody else does', () => {
  const isIndex = (target: string): boolean => /^server\/src\/features\/[^/]+\/index\.ts$/.test(target)
  expect(outsideImports.filter(({ file, target }) => isRoot(file) !== isIndex(target))).toEqual([])
})

it('the index of a feature re-exports no file that others do not import', () => {
  const used = new Set(outsideImports.map(({ target }) => target))
  expect(features.flatMap((feature) => publicFiles(feature, '\\*')).filter((file) => !used.has(file))).toEqual([])
})
