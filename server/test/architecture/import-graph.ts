import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

interface Manifest {
  name: string
  exports?: Record<string, string>
}

/** Files by the files that they import, types included. Tests are left out. */
type ImportGraph = Map<string, string[]>

export function importGraph(root: string, folders: string[]): ImportGraph {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx}`)
  const files = new Set(globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] }).filter(isSource))
  const packages = packageEntries(root)
  return new Map([...files].map((file) => [file, listImports(root, file, packages).filter((to) => files.has(to))]))
}

/** The import cycles, each as a list of files. */
export const fileCycles = (graph: ImportGraph): string[][] =>
  stronglyConnected(graph).filter((component) => component.length > 1)

/**
 * The import cycles of sibling folders, each as a list of folders. A folder and its parent may import each other:
 * `kernel/context.ts` composes the parts of `kernel/store`, which uses `kernel/errors.ts`.
 */
export function folderCycles(graph: ImportGraph): string[][] {
  const folders = new Map<string, string[]>()
  for (const [file, targets] of graph) {
    for (const target of targets) {
      const siblings = siblingFolders(file, target)
      if (siblings) folders.set(siblings[0], [...(folders.get(siblings[0]) ?? []), siblings[1]])
    }
  }
  return stronglyConnected(folders).filter((component) => component.length > 1)
}

/** `a/b/c/x.ts`, `a/d/y.ts` → `a/b`, `a/d`. Undefined if one of the files is in a folder above the other. */
function siblingFolders(file: string, target: string): [string, string] | undefined {
  const [from, to] = [dirname(file).split('/'), dirname(target).split('/')]
  const depth = from.findIndex((name, level) => name !== to[level])
  if (depth < 0 || depth >= to.length) return undefined
  return [from.slice(0, depth + 1).join('/'), to.slice(0, depth + 1).join('/')]
}

const isSource = (file: string): boolean => !/\.test\.tsx?$/.test(file)

/** `@parley/search/preparation` → `packages/search/src/preparation.ts` */
function packageEntries(root: string): Map<string, string> {
  const entries = new Map<string, string>()
  for (const file of globSync('packages/*/package.json', { cwd: root })) {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest
    for (const [path, target] of Object.entries(exports)) {
      entries.set(join(name, path), normalize(join(dirname(file), target)))
    }
  }
  return entries
}

function listImports(root: string, file: string, packages: Map<string, string>): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:\bfrom|^import|\bimport\() ?'([^'\n]+)'/gm)].flatMap(([, target = '']) => {
    if (!target.startsWith('.')) return packages.get(target) ?? []
    return normalize(join(dirname(file), target))
  })
}

/** Tarjan's algorithm. */
function stronglyConnected(graph: Map<string, string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const components: string[][] = []
  const visit = (node: string): number => {
    order.set(node, order.size)
    lowest.set(node, order.get(node) as number)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      const low = order.has(next) ? (stack.includes(next) ? (order.get(next) as number) : Infinity) : visit(next)
      lowest.set(node, Math.min(lowest.get(node) as number, low))
    }
    if (lowest.get(node) === order.get(node)) components.push(stack.splice(stack.indexOf(node)).sort())
    return lowest.get(node) as number
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return components
}
