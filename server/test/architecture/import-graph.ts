import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

interface Manifest {
  name: string
  exports?: Record<string, string>
}

/** The import cycles below the folders, each as a list of files. Includes type imports. */
export function findCycles(root: string, folders: string[]): string[][] {
  const files = new Set(
    folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })).filter(isSource),
  )
  const packages = packageEntries(root)
  const graph = new Map([...files].map((file) => [file, importsOf(root, file, packages).filter((to) => files.has(to))]))
  return stronglyConnected(graph).filter((component) => component.length > 1)
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

function importsOf(root: string, file: string, packages: Map<string, string>): string[] {
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
